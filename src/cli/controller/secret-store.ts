/** What the webhook keeps in a Secret, so that all replicas have the same: certificates, and a key. */
import { randomBytes } from 'node:crypto';

import type { Secret } from 'kubernetes-types/core/v1.js';

import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { createOrGet } from '../../kube/create-or-get.ts';
import type { ObjectKey } from '../../kube/object.ts';
import { secrets } from '../../kube/resources.ts';
import type { MadeCertificate } from '../../platform/node-certificate.ts';
import { type CertificateStore, wholePair } from '../../platform/node-certificates.ts';

/**
 * A write rejects with Conflict where another replica has written since the last read: read again. Two replicas that start
 * together would else sign with two authorities, and API servers trust one of them.
 */
export function secretStore(
  client: KubeClient,
  key: ObjectKey & { readonly namespace: string },
): CertificateStore {
  const read = (): Promise<Secret> => createOrGet(client, secrets, { metadata: { ...key } });
  let seen: Secret | null = null;
  return {
    read: async (name) => {
      seen = await read();
      return pairIn(seen, name);
    },
    write: async (name, pair) => {
      seen ??= await read();
      const data = { ...seen.data, ...encoded(name, pair) };
      seen = await client.replace(secrets, { ...seen, data });
    },
  };
}

const WRITE_KEY = 'write-proof.key';
const WRITE_KEY_BYTES = 32;
const TRIES = 5;

/**
 * The key that proves which writes are the controller's (`gate/write-proof.ts`), made when there is none.
 * It is never another one: a replica that had the old key would be taken for a stranger.
 */
export async function keptWriteKey(
  client: KubeClient,
  key: ObjectKey & { readonly namespace: string },
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const secret = await createOrGet<Secret>(client, secrets, { metadata: { ...key } });
    const kept = atob(secret.data?.[WRITE_KEY] ?? '');
    if (kept.length >= WRITE_KEY_BYTES) return kept;
    const made = randomBytes(WRITE_KEY_BYTES).toString('hex');
    const data = { ...secret.data, [WRITE_KEY]: btoa(made) };
    try {
      await client.replace(secrets, { ...secret, data });
      return made;
    } catch (error) {
      if (!isReason(error, 'Conflict') || tries === TRIES) throw error;
    }
  }
}

function encoded(name: string, { certificate, key }: MadeCertificate): Record<string, string> {
  return { [`${name}.crt`]: btoa(certificate), [`${name}.key`]: btoa(key) };
}

function pairIn({ data = {} }: Secret, name: string): MadeCertificate | null {
  const certificate = data[`${name}.crt`];
  const key = data[`${name}.key`];
  if (certificate === undefined || key === undefined) return null;
  try {
    return wholePair({ certificate: atob(certificate), key: atob(key) });
  } catch {
    // Whatever cannot be read as one is made anew.
    return null;
  }
}
