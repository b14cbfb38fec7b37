/** The result of the last test of the gate, as in the condition Armed. */
export interface GateVerdict {
  readonly armed: boolean;
  /** One word in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/**
 * The verdict of the mode without webhooks. Its message states the limits of that mode, where users see them
 * (ROLL-E12).
 */
export const pausedAtRest: GateVerdict = {
  armed: false,
  reason: 'PausedAtRest',
  message:
    'There is no webhook in this mode: the Deployment is paused while nothing is rolled out. A write that clears spec.paused together with a new template is not held, and `kubectl rollout undo` and `restart` refuse.',
};

export const noWebhook: GateVerdict = {
  armed: false,
  reason: 'NoWebhook',
  message:
    'This controller serves no webhook, so nothing stamps a changed template: start it with --webhook-address, or set spec.gate to PausedAtRest.',
};
