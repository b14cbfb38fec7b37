/** The options of `lifehook snapshot restore`, and the parsers of their values. */
import { InvalidArgumentError } from 'commander';

import type { RequiredLevel } from '../../lifecycles/snapshot/required-level.ts';
import type { ClaimSettings, ScaleAction } from '../../lifecycles/snapshot/restore/kinds.ts';
import type { KubeOptions } from '../kube-connection.ts';
import type { OutputFormat, QuietOptions } from '../shared-options.ts';
import type { RequestOptions } from './request-options.ts';

export interface RestoreOptions extends KubeOptions, QuietOptions {
  readonly volumeSnapshot?: readonly string[];
  readonly claim?: readonly ClaimSettings[];
  readonly storageClass?: string;
  readonly require?: RequiredLevel;
  readonly stop?: readonly ScaleAction[];
  readonly verify?: NonNullable<RequestOptions['recipe']>;
  readonly image?: string;
  readonly command?: string;
  readonly scratch?: boolean;
  readonly as?: string;
  readonly wait?: boolean;
  /** Seconds until the command stops waiting. */
  readonly timeout: number;
  readonly output: OutputFormat;
}

export function collectNames(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}

export function collectClaimNames(
  text: string,
  before: readonly ClaimSettings[] = [],
): readonly ClaimSettings[] {
  const [sourceClaimName = '', claimName = '', ...rest] = text.split('=');
  if (sourceClaimName === '' || claimName === '' || rest.length > 0) {
    throw new InvalidArgumentError('It must be SOURCE=NEW, such as data=data-restored.');
  }
  return [...before, { sourceClaimName, claimName }];
}

const KINDS: ReadonlyMap<string, ScaleAction['kind']> = new Map([
  ['deployment', 'Deployment'],
  ['deploy', 'Deployment'],
  ['statefulset', 'StatefulSet'],
  ['sts', 'StatefulSet'],
]);

export function collectWorkloads(
  text: string,
  before: readonly ScaleAction[] = [],
): readonly ScaleAction[] {
  const [kindText = '', name = '', ...rest] = text.split('/');
  const kind = KINDS.get(kindText.toLowerCase());
  if (kind === undefined || name === '' || rest.length > 0) {
    throw new InvalidArgumentError('It must be deployment/NAME or statefulset/NAME.');
  }
  return [...before, { kind, name }];
}
