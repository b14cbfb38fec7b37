import { lintPodHooks } from '../../lifecycles/pod/lint/lint.ts';
import type { ManifestRules } from '../lint/manifests/manifest-rules.ts';

export const manifestRules: ManifestRules = {
  checkHooks: (value, settings) => lintPodHooks(value, settings).findings,
};
