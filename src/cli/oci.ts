import type { Command } from 'commander';
export function addOciCommands(_program: Command, _settle: (exitCode: number) => void): void {}
