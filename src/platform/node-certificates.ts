/**
 * The certificates of a server on this machine, kept in a folder: an authority of its own that clients
 * trust, and a certificate that it signs. Both are made anew well before they expire, and when they are
 * not there or cannot be read.
 */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import { makeAuthority, makeServerCertificate, type MadeCertificate } from './node-certificate.ts';
import type { Files } from './platform.ts';
import { codeOf } from './posix-error.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const AUTHORITY_DAYS = 3_650;
const AUTHORITY_LEFT_DAYS = 365;
const SERVER_DAYS = 365;
const SERVER_LEFT_DAYS = 60;

/** Clocks of one machine can step back a little. */
const BACKDATED_MS = HOUR_MS;

const SECRET_MODE = 0o600;
const FOLDER_MODE = 0o700;
const HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

export interface ServerCertificates extends MadeCertificate {
  /** PEM: what clients trust. */
  readonly authority: string;
}

/** Where pairs are kept between two lives. */
export interface CertificateStore {
  /** null: it is not there, or cannot be read as one. */
  read(name: 'ca' | 'server'): Promise<MadeCertificate | null>;
  write(name: 'ca' | 'server', pair: MadeCertificate): Promise<void>;
}

export async function serverCertificates(options: {
  readonly files: Files;
  readonly folder: string;
  readonly nowMs: number;
  /** Beside the loopback addresses. */
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

/** Those that are kept, where they last long enough and stand for all hosts; else new ones. */
export async function currentCertificates(options: {
  readonly store: CertificateStore;
  readonly nowMs: number;
  /** Beside the loopback addresses. */
  readonly hosts?: readonly string[];
}): Promise<ServerCertificates> {
  const { store, nowMs } = options;
  const keptAuthority = await store.read('ca');
  const authority =
    keptAuthority !== null && lasts(keptAuthority, nowMs, AUTHORITY_LEFT_DAYS)
      ? keptAuthority
      : makeAuthority({ commonName: AUTHORITY_NAME, ...validity(nowMs, AUTHORITY_DAYS) });
  if (authority !== keptAuthority) await store.write('ca', authority);
  const kept = await store.read('server');
  const hosts = [...HOSTS, ...(options.hosts ?? [])];
  if (kept !== null && lasts(kept, nowMs, SERVER_LEFT_DAYS) && standsFor(kept, authority, hosts)) {
    return { ...kept, authority: authority.certificate };
  }
  const made = makeServerCertificate(
    { commonName: 'lifehook-api-server', ...validity(nowMs, SERVER_DAYS), hosts },
    {
      commonName: AUTHORITY_NAME,
      privateKey: createPrivateKey(authority.key),
      publicKey: createPublicKey(authority.key),
    },
  );
  await store.write('server', made);
  return { ...made, authority: authority.certificate };
}

const AUTHORITY_NAME = 'lifehook-local-cluster';

function validity(
  nowMs: number,
  days: number,
): { readonly notBeforeMs: number; readonly notAfterMs: number } {
  return { notBeforeMs: nowMs - BACKDATED_MS, notAfterMs: nowMs + days * DAY_MS };
}

/** null: it is not there, or not whole. */
async function readPair(files: Files, base: string): Promise<MadeCertificate | null> {
  try {
    const certificate = await files.read(`${base}.crt`);
    const key = await files.read(`${base}.key`);
    return wholePair({ certificate, key });
  } catch (error) {
    // Whatever cannot be read as one is made anew; a folder that cannot be read is told.
    if (['EACCES', 'EPERM', 'EIO'].includes(codeOf(error) ?? '')) throw error;
    return null;
  }
}

/** The pair, if the key is the certificate's. Throws where either is none. */
export function wholePair(pair: MadeCertificate): MadeCertificate | null {
  const certificate = new X509Certificate(pair.certificate);
  return certificate.checkPrivateKey(createPrivateKey(pair.key)) ? pair : null;
}

/** The key first: a certificate without its key is as good as none. */
async function writePair(files: Files, base: string, pair: MadeCertificate): Promise<void> {
  await files.replace(`${base}.key`, pair.key, { mode: SECRET_MODE });
  await files.replace(`${base}.crt`, pair.certificate, { mode: SECRET_MODE });
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
