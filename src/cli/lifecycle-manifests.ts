/** The checks of manifests of the lifecycles: imported statically by the program that checks manifests. */
import type { ManifestRules } from './lint/manifests/manifest-rules.ts';
import { manifestRules as ofPods } from './pod/manifest-rules.ts';

export const manifestRules: Readonly<Record<string, ManifestRules>> = {
  pod: ofPods,
};
