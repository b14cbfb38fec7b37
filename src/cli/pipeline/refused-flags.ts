/** Options of the shipped tool that are not here: why, or what does the same. Pure. */

const REASONS: Readonly<Record<string, string>> = {
  'auto-build': 'with --trigger manual nothing is done before you press Enter',
  'auto-deploy': 'with --trigger manual nothing is done before you press Enter',
  'auto-sync': 'with --trigger manual nothing is done before you press Enter',
  'build-concurrency': 'build.local.concurrency in the file says how many images are built at once',
  'cache-file': 'the cache is .lifehook/build-cache.json next to the file',
  'cloud-run-location': 'only Kubernetes is deployed to',
  'cloud-run-project': 'only Kubernetes is deployed to',
  config:
    'there is no global configuration: write options as variables, such as SKAFFOLD_DEFAULT_REPO',
  'digest-source': '--tag and --build-artifacts name images that are built already',
  'env-file': 'skaffold.env next to the file has variables for all commands',
  'fast-fail-status-check': 'the status check fails at once for a certain cause',
  force: 'objects are applied by server-side apply, and never created anew',
  images: '--build-artifacts takes the images that build --file-output has written',
  'insecure-registry': 'the settings of the program that pushes decide',
  'iterative-status-check': 'each configuration is checked before the next is deployed',
  'mute-logs': '--tail=false leaves out the logs of containers',
  'profile-auto-activation': 'write --profile=-NAME for each profile that is not to be active',
  'propagate-profiles': 'name profiles of required configurations by activeProfiles',
  'render-only': 'lifehook render prints the manifests',
  'render-output': 'lifehook render --output writes the manifests',
  'tolerate-failures-until-deadline': 'deploy.tolerateFailuresUntilDeadline in the file says it',
};

/** The message of an option that is not known, with the reason where it is one of these. */
export function withReason(message: string): string {
  const [line = '', name = ''] = /^.*unknown option '--([\w-]+)[^\n]*/u.exec(message) ?? [];
  const reason = Object.hasOwn(REASONS, name) ? REASONS[name] : undefined;
  return reason === undefined ? message : `${line}: ${reason}.`;
}
