import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** As `Restart=always` and `RestartSec=2` of deploy/ovation.service. */
const restartAfterMs = 2_000

/** One Ovation of the cluster, with its workers, restarted when it dies, as systemd does it. */
export class OvationNode {
  readonly url: string
  readonly #env: Readonly<Record<string, string>>
  readonly #log: string
  #child: ChildProcess | undefined
  #isWanted = false
  /** The process that last said that it reads the log. */
  reader: { readonly pid: number; readonly since: number } | undefined

  constructor(options: { readonly url: string; readonly env: Readonly<Record<string, string>>; readonly log: string }) {
    this.url = options.url
    this.#env = options.env
    this.#log = options.log
  }

  start() {
    this.#isWanted = true
    this.#spawn()
  }

  /** In order, as `systemctl stop` does it. */
  async stop() {
    this.#isWanted = false
    await this.#end('SIGTERM')
  }

  /** All its processes at once. Nobody restarts them, until `start`. */
  async lose() {
    this.#isWanted = false
    await this.#end('SIGKILL')
  }

  /** Its first process; the workers end with it. */
  kill() {
    this.#child?.kill('SIGKILL')
  }

  async isReady(): Promise<boolean> {
    return (await this.state()) === 'ok'
  }

  /** What `/health/ready` says, with what fails. */
  async state(): Promise<string> {
    try {
      const response = await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(3_000) })
      const { status, failing } = (await response.json()) as { status: string; failing?: string[] }
      return failing ? `${status} (${failing.join(', ')})` : status
    } catch {
      return 'no answer'
    }
  }

  #spawn() {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...this.#env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    const log = createWriteStream(this.#log, { flags: 'a' })
    child.stderr?.pipe(log)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#watch(text))
    child.once('exit', async () => {
      await sleep(restartAfterMs, undefined, { ref: false })
      if (this.#isWanted && this.#child === child) this.#spawn()
    })
  }

  #watch(text: string) {
    for (const line of text.split('\n')) {
      if (!line.includes('this process reads the log')) continue
      const { pid, worker, time } = JSON.parse(line) as { pid?: number; worker?: number; time: number }
      this.reader = { pid: worker ?? pid ?? 0, since: time }
    }
  }

  async #end(signal: NodeJS.Signals) {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
