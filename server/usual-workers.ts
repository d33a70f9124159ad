import { availableParallelism } from 'node:os'

/** How many processes serve unless `WORKERS` says so: a core is PostgreSQL's (SCALE-08). Only Linux lets processes share a port. */
export function usualWorkers(cores = availableParallelism(), platform: NodeJS.Platform = process.platform): number {
  return platform === 'linux' ? Math.min(4, Math.max(1, cores - 1)) : 1
}
