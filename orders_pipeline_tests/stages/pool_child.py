"""A process whose pool is busy: what tests start with ``python -m`` to see what is left when it is ended.

Belongs here: two messages that never come back, by way of their ids. Prints the ids of the processes once both are
in work, and ``stopped`` when it is interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from orders_pipeline.stages import parser_pool
from orders_pipeline.stages.parse_message import ParseContext, RawMessage
from orders_pipeline.stages.parser_pool import ParserPool
from orders_pipeline_tests.stages.misbehaving import misbehaves


def main(ids: list[str]) -> None:
    parser_pool.PAYS_BYTES = 0
    with ParserPool(misbehaves, 2) as pool:
        list(pool.parse_all([RawMessage("warm", b""), RawMessage("up", b"")], ParseContext()))

        def source() -> Iterator[RawMessage]:
            for one in ids:
                yield RawMessage(one, b"")
            print(*(worker._process.pid for worker in pool._workers), flush=True)

        try:
            list(pool.parse_all(source(), ParseContext()))
        except KeyboardInterrupt:
            print("stopped", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
