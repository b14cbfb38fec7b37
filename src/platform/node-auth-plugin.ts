/**
 * Credentials from a kubeconfig's `exec` plugin or `auth-provider`, by the code of the official client. Loading that
 * code takes a second, so it is loaded only for the first request of such a user.
 */
import { type ChildProcess, spawn, type SpawnOptionsWithoutStdio } from 'node:child_process';
import type * as https from 'node:https';
import process from 'node:process';
import type { Readable } from 'node:stream';

import type { Credentials } from './node-server-link.ts';
import type { CancelSignal, Timers } from './platform.ts';
import { posixError } from './posix-error.ts';
import { nodeTimers } from './timers.ts';

export interface PluginProgram {
  readonly command: string;
  readonly args: string[];
}

export interface PluginUser {
  readonly name: string;
  /** The field `exec` of the kubeconfig's user. */
  readonly exec?: PluginProgram | undefined;
  readonly authProvider?: object | undefined;
}

interface Applies {
  applyToHTTPSOptions(options: https.RequestOptions): Promise<void>;
}

/** Asks for credentials. 'anew': the server has refused the last ones, although they may still be valid here. */
export type AskPlugin = (how?: 'anew') => Promise<Credentials>;

export type AuthPlugin = (user: PluginUser) => AskPlugin;

interface Surroundings {
  /** Gets the stderr of the plugins, as they write it. */
  readonly show: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly timers: Timers;
  /** Each of them ends the plugins that run, and the last one also those that start later. Absent: none. */
  readonly signals?: readonly CancelSignal[];
}

/** Shows the stderr of plugins in a terminal: it may have the code of a login that the plugin waits for. */
const nodeSurroundings: Surroundings = {
  show: (text) => {
    if (process.stderr.isTTY) process.stderr.write(text);
  },
  warn: (text) => {
    process.stderr.write(`warning: ${text}\n`);
  },
  timers: nodeTimers,
};

export const nodeAuthPlugin: AuthPlugin = authPlugin(nodeSurroundings);

/** For a command that handles signals: without this, a plugin that hangs would keep it from ending. */
export function endingAuthPlugin(signals: readonly CancelSignal[]): AuthPlugin {
  return authPlugin({ ...nodeSurroundings, signals });
}

/** Calls the authentication plugins of kubeconfigs. Waits for them without a limit, as kubectl does. */
export function authPlugin(surroundings: Surroundings): AuthPlugin {
  return ({ name, exec, authProvider }) => {
    let config: Promise<Applies> | null = null;
    const load = async (): Promise<Applies> => {
      const { KubeConfig } = await import('@kubernetes/client-node');
      const made = new KubeConfig();
      made.loadFromOptions({
        // A placeholder: the caller chooses the server, and only the credentials are used.
        clusters: [{ name, server: 'https://localhost', skipTLSVerify: false }],
        users: [{ name, exec, authProvider }],
        contexts: [{ name, cluster: name, user: name }],
        currentContext: name,
      });
      for (const each of authenticatorsOf(made)) {
        if (each.execFn !== undefined) each.execFn = spawnWithoutInput(name, surroundings);
      }
      return made;
    };
    return async (how) => {
      // The configuration caches the credentials.
      if (how === 'anew') config = null;
      config ??= load();
      const options: https.RequestOptions = { headers: {} };
      const asked = (await config).applyToHTTPSOptions(options);
      await unlessInterrupted(asked, surroundings.signals ?? []);
      const { Authorization: authorization } = options.headers as { Authorization?: string };
      return { authorization, cert: pemOf(options.cert), key: pemOf(options.key) };
    };
  };
}

/** Milliseconds after which a warning names the plugin that requests wait for. */
const SILENCE_MS = 30_000;

type Spawn = (
  command: string,
  args: readonly string[] | undefined,
  options: SpawnOptionsWithoutStdio,
) => ChildProcess;

/**
 * The authenticators of a configuration, which start plugins by the private field `execFn`: the official client has no
 * option for it.
 */
function authenticatorsOf(config: object): readonly { execFn?: Spawn }[] {
  return (
    (config as { readonly authenticators?: readonly { execFn?: Spawn }[] }).authenticators ?? []
  );
}

/**
 * Starts a plugin without input. With the open input that the official client gives it, a program that asks for a
 * password would never end.
 */
function spawnWithoutInput(user: string, surroundings: Surroundings): Spawn {
  const { show, warn, timers, signals = [] } = surroundings;
  return (command, args, options) => {
    const child = spawn(command, args ?? [], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    // Without a listener, the event of a failed start would end this process.
    child.once('error', () => undefined);
    if (!hasPipes(child)) {
      const name = JSON.stringify(command);
      throw posixError('EMFILE', `cannot start the credential plugin ${name}: too many open files`);
    }
    child.stderr.on('data', (chunk: Buffer | string) => {
      show(chunk.toString());
    });
    const cancel = timers.after(SILENCE_MS, () => {
      warn(
        `the credential plugin ${JSON.stringify(command)} of the user ${user} in the kubeconfig has not answered for ${SILENCE_MS / 1_000} s. Requests wait until it ends, since it may wait for a login in a browser. If it hangs, end it`,
      );
    });
    child.once('error', cancel);
    // Not 'exit': the requests wait until the output is closed, which a child of the plugin may keep open.
    child.once('close', cancel);
    const forget = onInterruption(signals, () => {
      cancel();
      child.kill();
    });
    child.once('close', forget);
    return child;
  };
}

/** Rejects at an interruption. The plugin may outlive it, and a child of the plugin may keep its output open. */
function unlessInterrupted<T>(work: Promise<T>, signals: readonly CancelSignal[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = onInterruption(signals, () => {
      reject(new Error('this command was interrupted'));
    });
    work.then(resolve, reject).finally(forget);
  });
}

/** Calls the function at the next interruption, or at once if there can be no other. Returns how to cancel that. */
function onInterruption(signals: readonly CancelSignal[], call: () => void): () => void {
  const later = signals.filter(({ aborted }) => !aborted);
  if (later.length === 0 && signals.length > 0) call();
  for (const signal of later) signal.addEventListener('abort', call);
  return () => {
    for (const signal of later) signal.removeEventListener('abort', call);
  };
}

/** False: the system lacked file descriptors for the pipes. Node reports that only in a later event. */
function hasPipes(child: { readonly stderr: Readable | undefined }): boolean {
  return child.stderr !== undefined;
}

function pemOf(
  value: https.RequestOptions['cert'] | https.RequestOptions['key'],
): string | undefined {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString('latin1') : undefined;
}
