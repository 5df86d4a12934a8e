"""The pipeline's definitions with a mailbox and a judge that take time: what the tree of a test loads.

Belongs here: the one line that puts both in place, in the code server and in each worker, which load this module.
"""

from orders_pipeline.definitions import defs as defs
from orders_pipeline_tests.crash import paying

paying.install()
