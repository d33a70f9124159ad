import { benchAuth } from './auth/bench.ts'
import { benchCampaigns } from './campaigns/bench.ts'
import { benchDatabase } from './database/bench.ts'
import { benchDashboard } from './database/dashboard.ts'
import { benchMemory } from './memory/bench.ts'
import { benchNewPost } from './new-post/bench.ts'
import { benchRealtime } from './realtime/bench.ts'
import { benchRest } from './rest/bench.ts'
import { benchScaling } from './scaling/bench.ts'
import { benchStorage } from './storage/bench.ts'
import { benchThumbnails } from './storage/thumbnails.ts'
import { benchWeb } from './web/bench.ts'

/** `npm run bench -- <name> [options]`: runs one benchmark, prints its table and writes its JSON. See README.md. */
const benchmarks: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  auth: benchAuth,
  campaigns: benchCampaigns,
  dashboard: benchDashboard,
  database: benchDatabase,
  memory: benchMemory,
  'new-post': benchNewPost,
  realtime: benchRealtime,
  rest: benchRest,
  scaling: benchScaling,
  storage: benchStorage,
  thumbnails: benchThumbnails,
  web: benchWeb,
}

const [name = '', ...args] = process.argv.slice(2)
const bench = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
if (bench) {
  await bench(args)
} else {
  process.stderr.write(`Which benchmark? npm run bench -- ${Object.keys(benchmarks).join(' | ')}\n`)
  process.exitCode = 1
}
