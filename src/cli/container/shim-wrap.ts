import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { WrapHook } from '../../lifecycles/container/life/inject.ts';
import { spoolFolder } from '../../lifecycles/container/life/life.ts';
import { wrapHook, wrappedStages } from '../../lifecycles/container/shim/hook-command.ts';
import { programFolder } from '../program-files.ts';

/**
 * Wraps hooks in the runner of the shim, for containers that a runtime runs: with stage, deadline and record.
 * null: the runner was not built, and hooks are added to config.json unchanged. Records are stored next to `root`.
 */
export function shimWrap(root: string): WrapHook | null {
  const runner = join(programFolder(), 'shim', 'lifehook-hook');
  if (!existsSync(runner)) return null;
  const spool = spoolFolder(root);
  return ({ hook, source }, { stage, index }) => {
    const wrapped = wrappedStages.find((name) => name === stage);
    if (wrapped === undefined || source.kind !== 'file') return hook;
    const command = {
      stage: wrapped,
      file: basename(source.file),
      index,
      onFailure: 'fail' as const,
      retries: 0,
      timeoutSeconds: hook.timeout ?? null,
      spool,
      path: hook.path,
      argv: hook.args ?? [hook.path],
    };
    return wrapHook(runner, command, hook.env);
  };
}
