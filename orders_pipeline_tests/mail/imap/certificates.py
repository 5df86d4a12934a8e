"""Certificates that the tests make for themselves.

Belongs here: an authority, and a server's certificates right and wrong. Not here: who serves them.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Key = ec.EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files in PEM form: an authority, and what it signed for localhost and 127.0.0.1."""

    folder: Path
    authority: Path
    server: Path
    server_key: Path

    @classmethod
    def make(cls, folder: Path) -> Certificates:
        folder.mkdir()
        key = ec.generate_private_key(ec.SECP256R1())
        authority = _signed("Test authority", key, issuer=None, authority_key=key, is_authority=True)
        server_key = ec.generate_private_key(ec.SECP256R1())
        server = _signed("localhost", server_key, issuer=authority, authority_key=key)
        made = cls(folder, folder / "authority.pem", folder / "server.pem", folder / "server.key")
        made.authority.write_bytes(_pem(authority))
        made.server.write_bytes(_pem(server))
        made.server_key.write_bytes(_key_pem(server_key))
        return made

    def wrong(self, name: str, *, host: str = "localhost", days: tuple[int, int] = (-1, 30)) -> tuple[Path, Path]:
        """A self-signed certificate and its key; ``days`` from now are its first and its last."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = _signed(host, key, issuer=None, authority_key=key, days=days)
        paths = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        paths[0].write_bytes(_pem(certificate))
        paths[1].write_bytes(_key_pem(key))
        return paths


def _signed(
    host: str,
    key: Key,
    *,
    issuer: x509.Certificate | None,
    authority_key: Key,
    is_authority: bool = False,
    days: tuple[int, int] = (-1, 30),
) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = dt.datetime.now(dt.UTC)
    alternatives: list[x509.GeneralName] = [x509.DNSName(host)]
    if host == "localhost":
        alternatives.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
    public = key.public_key()
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer.subject if issuer else name)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + dt.timedelta(days=days[0]))
        .not_valid_after(now + dt.timedelta(days=days[1]))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )
    if is_authority:
        usage = dict.fromkeys(
            ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
             "encipher_only", "decipher_only"), False
        )  # fmt: skip
        builder = builder.add_extension(x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True)
    else:
        builder = builder.add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
    if issuer is not None:
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
        builder = builder.add_extension(identifier, critical=False)
    return builder.sign(authority_key, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_pem(key: Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
