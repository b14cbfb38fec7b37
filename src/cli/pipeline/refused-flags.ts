/** Explains rejected options: the reason, a replacement, or the commands that accept the option. Pure. */
import type { Command } from 'commander';

const REASONS: Readonly<Record<string, string>> = {
  'assume-yes': 'Lifehook never asks for a confirmation',
  auto: 'a skaffold.yaml is required',
  'auto-build': 'with --trigger manual nothing is done before you press Enter',
  'auto-create-config': 'a skaffold.yaml is required',
  'auto-deploy': 'with --trigger manual nothing is done before you press Enter',
  'auto-sync': 'with --trigger manual nothing is done before you press Enter',
  'build-concurrency': 'build.local.concurrency in the file says how many images are built at once',
  'cache-file': 'the cache is .lifehook/build-cache.json next to the file',
  'check-cluster-node-platforms': '--platform names the platforms of the images',
  'cloud-run-location': 'Lifehook deploys only to Kubernetes',
  'cloud-run-project': 'Lifehook deploys only to Kubernetes',
  color: 'NO_COLOR=1 and FORCE_COLOR=1 turn colors off and on',
  config:
    'there is no global configuration: set options as environment variables, such as SKAFFOLD_DEFAULT_REPO',
  'detect-minikube': '--push says whether images are pushed',
  'digest-source': '--tag and --build-artifacts name images that are built already',
  'disable-multi-platform-build': '--platform names the platforms of the images',
  'docker-network': 'a verification runs in a pod of the cluster',
  'dry-run': 'lifehook pipeline plan shows what would be done',
  'enable-platform-node-affinity': 'manifests get no node affinity: write it into them',
  'env-file': 'variables for all commands are read from skaffold.env next to skaffold.yaml',
  'fast-fail-status-check': 'the status check fails at once if the cause is certain',
  force: 'objects are applied by server-side apply, and never recreated',
  'hydration-dir': 'functions of kpt are not run',
  images: '--build-artifacts takes the images that build --file-output has written',
  'insecure-registry': 'the program that pushes uses its own settings',
  interactive: 'Lifehook never asks a question',
  'iterative-status-check': 'each configuration is checked before the next is deployed',
  'load-images': 'images are pushed, or loaded into the local cluster',
  loud: 'the output of hooks is shown unless --quiet is given',
  'mute-logs': '--tail=false leaves out the logs of containers',
  'no-prune-children': 'built images are kept',
  offline: 'lifehook render needs no cluster',
  'profile-auto-activation': 'write --profile=-NAME for each profile that is not to be active',
  'propagate-profiles': 'name profiles of required configurations by activeProfiles',
  'remote-cache-dir': 'required configurations must be on this machine',
  'render-only': 'lifehook render prints the manifests',
  'render-output': 'lifehook render --output writes the manifests',
  'resource-selector-rules-file': 'manifests.hooks with withChange change manifests',
  set: 'manifests.hooks with withChange change manifests',
  'set-value-file': 'manifests.hooks with withChange change manifests',
  'status-check-selectors': 'the status check always waits for all kinds that it knows',
  'sync-remote-cache': 'required configurations must be on this machine',
  timestamps: 'lifehook pipeline replay shows the time of each line',
  'tolerate-failures-until-deadline': 'deploy.tolerateFailuresUntilDeadline in the file sets it',
  toot: 'a hook after the deployment can do it',
  'update-check': 'Lifehook never checks for a newer version',
  'wait-for-connection': 'a client that connects later receives the earlier events too',
  'wait-for-deletions': 'Lifehook does not wait for objects that are being deleted',
  'wait-for-deletions-delay': 'Lifehook does not wait for objects that are being deleted',
  'wait-for-deletions-max': 'Lifehook does not wait for objects that are being deleted',
};

/** The message of an unknown option, with the reason if this table has one. */
export function withReason(message: string): string {
  const [line = '', name = ''] = /^.*unknown option '--([\w-]+)[^\n]*/u.exec(message) ?? [];
  const reason = Object.hasOwn(REASONS, name) ? REASONS[name] : undefined;
  return reason === undefined ? message : `${line}: ${reason}.`;
}

/** The message of an option that this verb lacks, with the sibling verbs that have it. */
export function withTakers(message: string, { parent }: Pick<Command, 'parent'>): string {
  const [line = '', long = ''] = /^.*unknown option '(--[\w-]+)[^\n]*/u.exec(message) ?? [];
  const has = ({ options }: Command, ...names: string[]): boolean =>
    options.some((option) => names.includes(option.long ?? ''));
  const verbs = (parent?.commands ?? []).filter((one) => has(one, EVERY_VERB_HAS));
  const takers = verbs.filter((one) => has(one, long, `--no-${long.slice(2)}`));
  if (long === '' || takers.length === 0) return message;
  return `${line}: it is an option of ${takers.map((one) => one.name()).join(', ')}.`;
}

const EVERY_VERB_HAS = '--profile';
