"""``cases``: its commands, put together."""

from orders_pipeline.cli.cases import app
from orders_pipeline.cli.cases_agreement import show_agreement
from orders_pipeline.cli.cases_edit import edit
from orders_pipeline.cli.cases_export import export

app.command("edit")(edit)
app.command("export")(export)
app.command("agreement")(show_agreement)

__all__ = ["app"]
