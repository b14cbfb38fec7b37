/** Creates X.509 certificates with keys on the curve P-256: of a CA, and of servers that it signs. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

import * as der from './node-der.ts';

export interface MadeCertificate {
  /** The certificate in PEM. */
  readonly certificate: string;
  /** The private key in PEM (PKCS #8). */
  readonly key: string;
}

export interface CertificateSpec {
  readonly commonName: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

export interface ServerSpec extends CertificateSpec {
  /** DNS names and IP addresses of the certificate; of IPv6 only ::1. */
  readonly hosts: readonly string[];
}

export interface Signer {
  readonly commonName: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Makes a self-signed CA that may sign the certificates of servers, but no intermediate CA. */
export function makeAuthority(spec: CertificateSpec): MadeCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    extension(BASIC_CONSTRAINTS, der.sequence(der.boolean(true), der.integer(Buffer.of(0))), true),
    // The bits keyCertSign and cRLSign.
    extension(KEY_USAGE, der.bits(Buffer.of(0x06), 1), true),
    extension(SUBJECT_KEY_ID, der.octets(keyId(publicKey))),
  ];
  const signer = { commonName: spec.commonName, privateKey, publicKey };
  return issue({ ...spec, publicKey, privateKey, extensions, signer });
}

export function makeServerCertificate(spec: ServerSpec, signer: Signer): MadeCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    extension(BASIC_CONSTRAINTS, der.sequence(), true),
    // The first bit: digitalSignature.
    extension(KEY_USAGE, der.bits(Buffer.of(0x80), 7), true),
    extension(EXTENDED_KEY_USAGE, der.sequence(der.objectId(SERVER_AUTH))),
    extension(SUBJECT_ALT_NAME, der.sequence(...spec.hosts.map(altName))),
    extension(AUTHORITY_KEY_ID, der.sequence(der.implicit(0, keyId(signer.publicKey)))),
    extension(SUBJECT_KEY_ID, der.octets(keyId(publicKey))),
  ];
  return issue({ ...spec, publicKey, privateKey, extensions, signer });
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SUBJECT_KEY_ID = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
const SUBJECT_ALT_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const AUTHORITY_KEY_ID = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

const SERIAL_BYTES = 16;
const VERSION_3 = Buffer.of(2);

interface Issue extends CertificateSpec {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly signer: Signer;
}

function issue(spec: Issue): MadeCertificate {
  const algorithm = der.sequence(der.objectId(ECDSA_WITH_SHA256));
  const content = der.sequence(
    der.explicit(0, der.integer(VERSION_3)),
    der.integer(randomBytes(SERIAL_BYTES)),
    algorithm,
    nameOf(spec.signer.commonName),
    der.sequence(der.time(spec.notBeforeMs), der.time(spec.notAfterMs)),
    nameOf(spec.commonName),
    spec.publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...spec.extensions)),
  );
  const signature = sign('sha256', content, spec.signer.privateKey);
  const certificate = der.sequence(content, algorithm, der.bits(signature));
  const key = spec.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { certificate: pemOf(certificate), key };
}

function nameOf(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.objectId(COMMON_NAME), der.utf8(commonName))));
}

function extension(id: string, value: Buffer, critical: boolean = false): Buffer {
  const parts = critical ? [der.boolean(true), der.octets(value)] : [der.octets(value)];
  return der.sequence(der.objectId(id), ...parts);
}

function altName(host: string): Buffer {
  if (isIPv4(host)) return der.implicit(7, Buffer.from(host.split('.').map(Number)));
  if (host === '::1') return der.implicit(7, Buffer.concat([Buffer.alloc(15), Buffer.of(1)]));
  return der.implicit(2, Buffer.from(host, 'latin1'));
}

/** The id of a key, by which a certificate refers to its issuer. */
function keyId(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}

const PEM_LINE_CHARS = 64;

function pemOf(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${PEM_LINE_CHARS}}`, 'g')) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
