/**
 * The certificates of a server, stored in a directory or a Secret: a private CA that clients trust, and a certificate
 * that it signs. Both are replaced well before they expire, and if they are missing or cannot be parsed.
 *
 * A CA is replaced without a gap. A year before its end the next CA is created, and clients trust both. The next CA
 * signs only after clients have had a day to receive it. The old CA is trusted until it expires.
 */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import { makeAuthority, makeServerCertificate, type MadeCertificate } from './node-certificate.ts';
import type { Files } from './platform.ts';
import { unlessMissing } from './posix-error.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const AUTHORITY_DAYS = 3_650;
const AUTHORITY_LEFT_DAYS = 365;
/** Days between the creation of the next CA and its first signature, in which clients receive it. */
const AUTHORITY_KNOWN_DAYS = 1;
const SERVER_DAYS = 365;
const SERVER_LEFT_DAYS = 60;

/** Milliseconds by which a certificate is dated back, because the clock of a machine can step back a little. */
const BACKDATED_MS = HOUR_MS;

const SECRET_MODE = 0o600;
const FOLDER_MODE = 0o700;
const HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

export interface ServerCertificates extends MadeCertificate {
  /** The CAs that clients trust: one or two certificates in PEM. */
  readonly authority: string;
}

/** `next-ca` is the CA that will replace `ca`. */
export type CertificateName = 'ca' | 'next-ca' | 'server';

/** Keeps certificates when the program restarts. */
export interface CertificateStore {
  /** null: the certificate is missing, or cannot be parsed. */
  read(name: CertificateName): Promise<MadeCertificate | null>;
  write(name: CertificateName, pair: MadeCertificate): Promise<void>;
}

export async function serverCertificates(options: {
  readonly files: Files;
  readonly folder: string;
  readonly nowMs: number;
  /** Hosts of the certificate, besides the loopback addresses. */
  readonly hosts?: readonly string[];
}): Promise<ServerCertificates> {
  const { files, folder } = options;
  await files.makeFolder(folder, FOLDER_MODE);
  return currentCertificates({
    ...options,
    store: {
      read: (name) => readPair(files, `${folder}/${name}`),
      write: (name, pair) => writePair(files, `${folder}/${name}`, pair),
    },
  });
}

/**
 * The stored certificates if they last long enough and cover all hosts; else new ones. A server that runs for a long
 * time calls this function periodically.
 */
export async function currentCertificates(options: {
  readonly store: CertificateStore;
  readonly nowMs: number;
  /** Hosts of the certificate, besides the loopback addresses. */
  readonly hosts?: readonly string[];
}): Promise<ServerCertificates> {
  const { store, nowMs } = options;
  const { signing, trusted } = await currentAuthorities(store, nowMs);
  const authority = trusted.map(({ certificate }) => certificate).join('');
  const kept = await store.read('server');
  const hosts = [...HOSTS, ...(options.hosts ?? [])];
  if (kept !== null && lasts(kept, nowMs, SERVER_LEFT_DAYS) && standsFor(kept, signing, hosts)) {
    return { ...kept, authority };
  }
  const made = makeServerCertificate(
    { commonName: 'lifehook-api-server', ...validity(nowMs, SERVER_DAYS), hosts },
    {
      commonName: AUTHORITY_NAME,
      privateKey: createPrivateKey(signing.key),
      publicKey: createPublicKey(signing.key),
    },
  );
  await store.write('server', made);
  return { ...made, authority };
}

interface Authorities {
  readonly signing: MadeCertificate;
  readonly trusted: readonly MadeCertificate[];
}

async function currentAuthorities(store: CertificateStore, nowMs: number): Promise<Authorities> {
  const kept = await store.read('ca');
  if (kept === null || !lasts(kept, nowMs, 0)) {
    const made = await keptOrMade(store, nowMs, kept === null ? 'ca' : 'next-ca');
    if (kept !== null) await store.write('ca', made);
    return { signing: made, trusted: [made] };
  }
  if (lasts(kept, nowMs, AUTHORITY_LEFT_DAYS)) return { signing: kept, trusted: [kept] };
  const next = await keptOrMade(store, nowMs, 'next-ca');
  const isKnown = beganMs(next) + BACKDATED_MS + AUTHORITY_KNOWN_DAYS * DAY_MS <= nowMs;
  return { signing: isKnown ? next : kept, trusted: [kept, next] };
}

async function keptOrMade(
  store: CertificateStore,
  nowMs: number,
  name: 'ca' | 'next-ca',
): Promise<MadeCertificate> {
  const kept = name === 'ca' ? null : await store.read(name);
  if (kept !== null && lasts(kept, nowMs, AUTHORITY_LEFT_DAYS)) return kept;
  const made = makeAuthority({ commonName: AUTHORITY_NAME, ...validity(nowMs, AUTHORITY_DAYS) });
  await store.write(name, made);
  return made;
}

function beganMs({ certificate }: MadeCertificate): number {
  return Date.parse(new X509Certificate(certificate).validFrom);
}

const AUTHORITY_NAME = 'lifehook-local-cluster';

function validity(
  nowMs: number,
  days: number,
): { readonly notBeforeMs: number; readonly notAfterMs: number } {
  return { notBeforeMs: nowMs - BACKDATED_MS, notAfterMs: nowMs + days * DAY_MS };
}

/** null: a file of the pair is missing, or cannot be parsed. Rejects if a file cannot be read. */
async function readPair(files: Files, base: string): Promise<MadeCertificate | null> {
  const certificate = await unlessMissing(files.read(`${base}.crt`));
  const key = await unlessMissing(files.read(`${base}.key`));
  if (certificate === null || key === null) return null;
  try {
    return wholePair({ certificate, key });
  } catch {
    return null;
  }
}

/** Whether a client that trusts these CAs (PEM, any number) accepts the certificate. */
export function isSignedBy(certificate: string, authorities: string): boolean {
  const shown = new X509Certificate(certificate);
  const trusted = authorities.match(ONE_CERTIFICATE) ?? [];
  return trusted.some((one) => {
    try {
      return shown.verify(new X509Certificate(one).publicKey);
    } catch {
      return false;
    }
  });
}

const ONE_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** The pair; null: the key does not belong to the certificate. Throws if either cannot be parsed. */
export function wholePair(pair: MadeCertificate): MadeCertificate | null {
  const certificate = new X509Certificate(pair.certificate);
  return certificate.checkPrivateKey(createPrivateKey(pair.key)) ? pair : null;
}

/** The order of the two writes does not matter: a certificate without its key is created again. */
async function writePair(files: Files, base: string, pair: MadeCertificate): Promise<void> {
  await Promise.all([
    files.replace(`${base}.key`, pair.key, { mode: SECRET_MODE }),
    files.replace(`${base}.crt`, pair.certificate, { mode: SECRET_MODE }),
  ]);
}

function lasts({ certificate }: MadeCertificate, nowMs: number, leftDays: number): boolean {
  const { validFrom, validTo } = new X509Certificate(certificate);
  return Date.parse(validFrom) <= nowMs && nowMs + leftDays * DAY_MS <= Date.parse(validTo);
}

function standsFor(
  { certificate }: MadeCertificate,
  authority: MadeCertificate,
  hosts: readonly string[],
): boolean {
  const read = new X509Certificate(certificate);
  if (!read.verify(createPublicKey(authority.key))) return false;
  return hosts.every(
    (host) => (isIP(host) === 0 ? read.checkHost(host) : read.checkIP(host)) !== undefined,
  );
}
