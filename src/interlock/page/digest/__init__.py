"""The digest of the record: what the page counts and searches, derived from the record and never trusted over it."""

from interlock.page.digest.file import DigestFile
from interlock.page.digest.intake import Digest, Progress

__all__ = ["Digest", "DigestFile", "Progress"]
