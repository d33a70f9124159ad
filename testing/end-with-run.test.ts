import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it.runIf(process.platform === 'linux')('ends what a killed test run has started', async () => {
  const module = fileURLToPath(new URL('end-with-run.ts', import.meta.url))
  const program = `
    import { spawn } from 'node:child_process'
    import { endDescendantsWithThisProcess } from '${module}'
    endDescendantsWithThisProcess()
    const shell = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { stdio: ['ignore', 'inherit', 'ignore'] })
    await new Promise((done) => shell.once('exit', done))`
  const { TEST_RUN_ID: _, ...env } = process.env
  const run = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(run.stdout.setEncoding('utf8'), 'data')) as [string]
  const sleeper = `/proc/${Number(said)}`
  expect(existsSync(sleeper)).toBe(true)
  run.kill('SIGKILL')
  await expect.poll(() => existsSync(sleeper)).toBe(false)
})
