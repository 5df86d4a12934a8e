"""``python -m orders_pipeline.cli``."""

from orders_pipeline.cli.app import main

if __name__ == "__main__":
    main()
