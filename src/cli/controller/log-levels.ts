export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
