/**
 * Defines the schema of lifehook.yaml: settings of hooks that skaffold.yaml cannot have. The published JSON Schema is
 * generated from it.
 */
import * as z from 'zod';

import { MAX_PAUSE_MS } from '../../../engine/retry.ts';
import { API_VERSION } from '../../../model/api-version.ts';
import type { FolderBuilder } from './model.ts';
import type { HookPolicy } from '../hooks/model.ts';

/** The policy of one hook: an absent field stays unchanged. */
export type PolicyFields = {
  readonly [Name in keyof HookPolicy]?: HookPolicy[Name] | undefined;
} & { readonly name?: string | undefined };

/** The parts of the file that are read as plain values. Hooks are read with their positions instead. */
export interface LifehookFile {
  readonly policies: Readonly<Record<string, PolicyFields>>;
  readonly folderBuilders: Readonly<
    Record<
      string,
      Omit<FolderBuilder, 'kind' | 'command' | 'workingDir'> & {
        readonly command?: readonly string[] | undefined;
        readonly workingDir?: string | undefined;
      }
    >
  >;
}

export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys: readonly string[];
  /** The keys that are allowed in the object at `path`. */
  readonly known: readonly string[];
}

export type ParsedLifehook =
  | { readonly kind: 'read'; readonly file: LifehookFile }
  | { readonly kind: 'refused'; readonly issues: readonly SchemaIssue[] };

const SECONDS_MAX = 7 * 24 * 3600;
const RETRIES_MAX = 100;
const BACKOFF_MAX = MAX_PAUSE_MS / 1_000;

const globs = z.array(z.string().min(1));

const policyFields = {
  name: z.string().min(1).max(253).optional(),
  timeoutSeconds: z.number().gt(0).max(SECONDS_MAX).optional(),
  retries: z.int().min(0).max(RETRIES_MAX).optional(),
  backoffSeconds: z.number().min(0).max(BACKOFF_MAX).optional(),
  onFailure: z.enum(['fail', 'warn', 'ignore']).optional(),
  onLeftover: z.enum(['wait', 'terminate']).optional(),
  run: z.enum(['always', 'changed', 'once-per-session', 'as-phase']).optional(),
  paths: globs.optional(),
  lock: z.string().min(1).optional(),
  required: z.boolean().optional(),
  inputs: globs.optional(),
  outputs: globs.optional(),
  stdoutCommands: z.boolean().optional(),
  secrets: z.array(z.string().min(1)).optional(),
  recordedValues: z.array(z.string().min(1)).optional(),
  env: z.record(z.string(), z.string()).optional(),
};

const command = z.array(z.string()).min(1);
const host = z.strictObject({
  command,
  os: z.array(z.string()).optional(),
  dir: z.string().optional(),
});
const container = z.strictObject({
  command,
  podName: z.string().optional(),
  podPrefix: z.string().optional(),
  containerName: z.string().optional(),
});
const ownHook = z.strictObject({
  host: host.optional(),
  container: container.optional(),
  ...policyFields,
});
const hooks = z.array(ownHook).optional();
const stage = z.strictObject({ before: hooks, after: hooks, onError: hooks, finally: hooks });
const added = z.strictObject({ onError: hooks, finally: hooks });

const folderBuilder = z.strictObject({
  path: z.string().default('.'),
  ignore: globs.default([]),
  command: command.optional(),
  env: z.record(z.string(), z.string()).default({}),
  workingDir: z.string().optional(),
});

const lifehookSchema = z.strictObject({
  apiVersion: z.literal(API_VERSION).optional(),
  kind: z.literal('Pipeline').optional(),
  /** Keyed by address: "build/web/after/0". */
  policies: z.record(z.string(), z.strictObject(policyFields)).default({}),
  /** Keyed by place: "build/web", "deploy/kubectl", "render". */
  stages: z.record(z.string(), added).default({}),
  test: stage.optional(),
  verify: stage.optional(),
  portForward: stage.optional(),
  cleanup: stage.optional(),
  ready: stage.optional(),
  /** Keyed by image. */
  folderBuilders: z.record(z.string(), folderBuilder).default({}),
});

export function lifehookJsonSchema(): unknown {
  const title =
    'lifehook.yaml: policies, values and hooks of a pipeline, next to its skaffold.yaml';
  return { title, ...z.toJSONSchema(lifehookSchema, { io: 'input' }) };
}

export function parseLifehook(value: unknown): ParsedLifehook {
  const parsed = lifehookSchema.safeParse(value);
  if (parsed.success) return { kind: 'read', file: parsed.data };
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path,
    message: issue.message,
    keys: issue.code === 'unrecognized_keys' ? issue.keys : [],
    known: issue.code === 'unrecognized_keys' ? keysAt(issue.path) : [],
  }));
  return { kind: 'refused', issues };
}

/** A part of the JSON Schema, which has the same shape as the file. */
interface SchemaPart {
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly additionalProperties?: SchemaPart | boolean;
  readonly items?: SchemaPart;
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let part: SchemaPart | undefined = z.toJSONSchema(lifehookSchema, { io: 'input' }) as SchemaPart;
  for (const step of path) {
    const { properties = {}, additionalProperties: others, items }: SchemaPart = part ?? {};
    const named = typeof step === 'string' && Object.hasOwn(properties, step);
    const other = typeof others === 'object' ? others : undefined;
    if (typeof step === 'number') part = items;
    else part = named ? properties[step] : other;
  }
  return Object.keys(part?.properties ?? {});
}
