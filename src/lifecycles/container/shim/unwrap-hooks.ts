/** Reads the hooks in an entry of config.json that an earlier injection wrote. */
import { LifehookError } from '../../../model/problem.ts';
import { isObject } from '../config/config-text.ts';
import type { OciHook } from '../points.ts';
import { readHookCommands, type HookCommand } from './hook-command.ts';

/** As in their hook files, except that an absent environment has become an empty one. */
export function unwrapHooks(runner: string, entry: unknown): OciHook[] {
  if (!isObject(entry) || entry['path'] !== runner) return [];
  const env = textsIn(entry['env']);
  return commandsIn(textsIn(entry['args']).slice(1)).map((command, place) => {
    const { path, argv, timeoutSeconds } = command;
    const prefix = `${place}:`;
    const own = env.filter((text) => text.startsWith(prefix));
    const hook = { path, args: argv, env: own.map((text) => text.slice(prefix.length)) };
    return timeoutSeconds === null ? hook : { ...hook, timeout: timeoutSeconds };
  });
}

/** Empty for an entry that another program has written for the runner. */
function commandsIn(args: readonly string[]): HookCommand[] {
  try {
    return readHookCommands(args);
  } catch (error) {
    if (error instanceof LifehookError) return [];
    throw error;
  }
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((text): text is string => typeof text === 'string') : [];
}
