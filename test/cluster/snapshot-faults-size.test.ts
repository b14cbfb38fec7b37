/**
 * One hook freezes 500 containers. Their output takes six times its length in the store of the API server.
 *
 * @module-tag node
 */
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Json, JsonObject } from '../../src/kube/object.ts';
import { storedBytes } from '../../src/kube/stored-size.ts';
import type { ExecutionHook } from '../../src/lifecycles/snapshot/kinds.ts';
import { RELEASE } from '../../src/lifecycles/snapshot/names.ts';
import { HOOK_BYTES_MAX } from '../../src/lifecycles/snapshot/schema/limits.ts';
import { type HooksStand, isFrozen, isSettled, openHooksStand } from './snapshot-hooks-stand.ts';

/** Below 110, the kubelet's default limit of pods for a node. */
const PODS = 100;
const CONTAINERS: readonly string[] = ['a', 'b', 'c', 'd', 'e'];
/** Pods that are started in parallel. With more, a machine of two cores starts none of them in time. */
const STARTED_AT_ONCE = 10;
/** 1 KiB of characters that JSON may store as six bytes each. */
const HOSTILE = '<xml>&'.repeat(171);
/** Limit of etcd for the size of a request, in bytes. */
const STORE_BYTES_MAX = 1_572_864;
const TIMEOUT_MS = 3_600_000;

let stand: HooksStand;

beforeAll(async () => {
  stand = await openHooksStand('snapshot-size');
  const names = Array.from({ length: PODS }, (_, index) => `many-${index}`).values();
  const startSome = async (): Promise<void> => {
    for (const name of names) {
      await stand.makePod(name, CONTAINERS);
      await stand.untilRunning(name);
    }
  };
  await Promise.all(Array.from({ length: STARTED_AT_ONCE }, startSome));
}, TIMEOUT_MS);

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
}, TIMEOUT_MS);

it(
  'a hook of 500 containers with hostile output thaws them all',
  { timeout: TIMEOUT_MS },
  async () => {
    const stop = stand.start();
    const script = `printf '%s' '${HOSTILE}'`;
    await stand.makeHook('many', {
      podSelector: { matchLabels: { app: 'many' } },
      preAction: { exec: { command: stand.say('freeze', script) }, actionTimeoutSeconds: 1_800 },
      postAction: { exec: { command: stand.say('thaw', script) }, actionTimeoutSeconds: 1_800 },
      expirationSeconds: 3_600,
    });
    await stand.until('many', 'is frozen', isFrozen);
    print('frozen', await storedSizes());
    expect(linesOf('freeze').size).toBe(PODS * CONTAINERS.length);
    await stand.annotate('many', { [RELEASE]: 'Human' });
    const { status } = await stand.until('many', 'is settled', isSettled);
    const sizes = await storedSizes();
    print('thawed', sizes);
    expect(linesOf('thaw')).toEqual(linesOf('freeze'));
    expect(status?.postActionSucceed).toBe(true);
    const targets = status?.containerExecutionHookStatuses ?? [];
    expect(targets.filter(({ thawedBy }) => thawedBy === 'post')).toHaveLength(
      linesOf('freeze').size,
    );
    expect(await stand.reasons('many')).not.toContain('StatusRefused');
    expect(sizes.budget).toBeLessThan(HOOK_BYTES_MAX);
    expect(sizes.stored).toBeLessThan(STORE_BYTES_MAX);
    await stop();
  },
);

interface Sizes {
  /** Bytes without managedFields; the controller limits this size. */
  readonly budget: number;
  /** Bytes with managedFields, as stored in etcd. */
  readonly stored: number;
}

async function storedSizes(): Promise<Sizes> {
  const { client, namespace } = stand;
  const path = `/apis/lifehook.dev/v1alpha1/namespaces/${namespace}/executionhooks/many`;
  const whole: Json = await client.raw({ method: 'GET', path });
  const { metadata, ...rest } = whole as JsonObject & ExecutionHook;
  const { managedFields: _, ...named } = metadata ?? {};
  return {
    stored: storedBytes(whole as JsonObject),
    budget: storedBytes({ ...rest, metadata: named }),
  };
}

function print(what: string, { stored, budget }: Sizes): void {
  process.stdout.write(`${what}: ${budget} bytes, ${stored} with managedFields\n`);
}

/** The containers that have logged a line with this first word. */
function linesOf(word: string): Set<string> {
  const lines = stand.log().filter((line) => line.startsWith(`${word} `));
  return new Set(lines.map((line) => line.slice(word.length + 1)));
}
