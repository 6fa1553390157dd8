"""A device with one passkey: what WebAuthn's `create` and `get` give back, made by hand."""

import hashlib
import json
from base64 import urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from app.services.feature import DeviceRequest

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


class Authenticator:
    """An authenticator that answers every request; `verifies` is True if it checked its owner's finger."""

    def __init__(self, origin: str, *, verifies: bool = True) -> None:
        self.origin = origin
        self.verifies = verifies
        self.id = b"the only credential"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._count = 0

    def made(self, asked: DeviceRequest) -> str:
        """The new passkey, as JSON."""
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        kept = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        data = self._data(asked.options["rp"]["id"], HAS_KEY) + kept
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", asked)
        return self._json(attestationObject=text(attestation), clientDataJSON=text(client))

    def shown(self, asked: DeviceRequest) -> str:
        """The signature that was asked for, as JSON."""
        self._count += 1
        data, client = self._data(asked.options["rpId"]), self._client("webauthn.get", asked)
        signed = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._json(authenticatorData=text(data), clientDataJSON=text(client), signature=text(signed))

    def _data(self, host: str, flags: int = 0) -> bytes:
        flags |= PRESENT | (VERIFIED if self.verifies else 0)
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self._count.to_bytes(4, "big")

    def _client(self, kind: str, asked: DeviceRequest) -> bytes:
        told = {"type": kind, "challenge": asked.options["challenge"], "origin": self.origin, "crossOrigin": False}
        return json.dumps(told).encode()

    def _json(self, **response: Any) -> str:
        name = text(self.id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
