from tests.daemon.conftest import home

__all__ = ["home"]
