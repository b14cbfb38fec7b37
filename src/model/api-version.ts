/** The API group and the version of Lifehook's kinds. */
export const GROUP = 'lifehook.dev';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${GROUP}/${VERSION}` as const;
