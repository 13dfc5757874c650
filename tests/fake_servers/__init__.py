"""Model servers on 127.0.0.1 that speak the providers' wire formats, with faults on demand."""

from tests.fake_servers.base import Answer, Cut, FakeServer, Fault, Recorded, Silence
from tests.fake_servers.gemini import FakeGemini
from tests.fake_servers.gemini_batches import FakeGeminiBatches
from tests.fake_servers.openai import FakeOpenAI

__all__ = [
    "Answer", "Cut", "FakeGemini", "FakeGeminiBatches", "FakeOpenAI", "FakeServer", "Fault",
    "Recorded", "Silence",
]  # fmt: skip
