/** Gathers the facts for the conditions of hooks.d files from one config.json. Pure; the shim runs it too. */
import { isObject, type ConfigObject } from './config/config-text.ts';
import type { ContainerFacts } from './hooksd/hook-file.ts';

/** Facts for which the caller has a better source than config.json. */
export type KnownFacts = Partial<Pick<ContainerFacts, 'annotations' | 'hasBindMounts'>>;

export function gatherFacts(config: ConfigObject, known: KnownFacts = {}): ContainerFacts {
  const { process, annotations, mounts } = config;
  return {
    annotations: known.annotations ?? textsOf(annotations),
    args: isObject(process) ? listOf(process['args']).filter(isText) : undefined,
    hasBindMounts: known.hasBindMounts ?? listOf(mounts).some(isUserBindMount),
  };
}

/**
 * Podman and CRI-O count the mounts that the user requested; config.json does not distinguish them from those that the
 * engine adds. So a bind mount counts unless its destination is one that engines fill themselves: their own files in
 * /etc and /run, and all of /proc, /sys and /dev. (The NRI plugin counts every mount, /proc included: under it, the
 * condition is always true.)
 */
export function isUserBindMount(mount: unknown): boolean {
  if (!isObject(mount)) return false;
  const { type, options, destination } = mount;
  const binds = listOf(options).some((option) => option === 'bind' || option === 'rbind');
  if (type !== 'bind' && !binds) return false;
  return typeof destination === 'string' && !isMadeByEngine(destination);
}

const engineFiles: readonly string[] = [
  '/etc/hosts',
  '/etc/hostname',
  '/etc/resolv.conf',
  '/run/.containerenv',
  '/run/secrets',
  '/.dockerenv',
];

const engineFolders = /^\/(?:proc|sys|dev)(?:\/|$)/;

function isMadeByEngine(destination: string): boolean {
  return engineFiles.includes(destination) || engineFolders.test(destination);
}

/** The annotations with text values. Others are ignored: the runtime refuses such a bundle. */
function textsOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).filter((entry): entry is [string, string] =>
    isText(entry[1]),
  );
  return Object.fromEntries(entries);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
