"""The clock on the wall."""

import time


class SystemClock:
    """Says what time the system believes it is. Keeps ``kernel.model.gateway.Clock``."""

    def now_ms(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000
