/** Where a local cluster keeps its state. Not part of what every start of the program loads. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { LifehookError } from '../../model/problem.ts';
import type { ClusterChoice } from './cluster-options.ts';

/** Everything that a cluster keeps. */
export function stateFolderOf({ cluster, stateDir }: ClusterChoice): string {
  // The programs that keep its containers work in folders of their own.
  if (stateDir !== undefined) return resolve(stateDir);
  const home = stateHome();
  if (home === null) throw noStateHome();
  return join(home, 'lifehook', cluster);
}

/** The directory of all local clusters of this user that have no `--state-dir`; null: the user has none. */
export function usualStateFolder(): string | null {
  const home = stateHome();
  return home === null ? null : join(home, 'lifehook');
}

function stateHome(): string | null {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  if (given !== '') return given;
  const home = homeFolder();
  return home === '' ? null : join(home, '.local', 'state');
}

/** "": HOME is unset, and the user has no passwd entry, as in containers that run under an arbitrary uid. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

function noStateHome(): LifehookError {
  return new LifehookError({
    code: 'LHA108',
    severity: 'error',
    message:
      'Cannot choose the state directory of the local cluster: HOME is unset or empty, and the user has no home directory.',
    next: 'Set HOME or XDG_STATE_HOME, or name a directory with --state-dir.',
  });
}
