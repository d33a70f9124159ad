import { startSandbox } from './index.ts'

const { env } = process

/** `SANDBOX_PORT`, or a sentence that names it. */
function portFrom(text = '4242'): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  console.error(`SANDBOX_PORT must be a port number, not "${text}".`)
  process.exit(1)
}

function webhookFrom(url = env.SANDBOX_WEBHOOK_URL, secret = env.SANDBOX_WEBHOOK_SECRET) {
  if (!url && !secret) return undefined
  if (url && secret && URL.canParse(url)) return { url, secret }
  console.error(
    'SANDBOX_WEBHOOK_URL and SANDBOX_WEBHOOK_SECRET belong together: an address and the secret that signs what is sent to it.',
  )
  process.exit(1)
}

const sandbox = await startSandbox({
  file: env.SANDBOX_FILE ?? 'sandbox.sqlite',
  host: env.SANDBOX_HOST ?? '127.0.0.1',
  port: portFrom(env.SANDBOX_PORT),
  publicUrl: env.SANDBOX_PUBLIC_URL,
  webhook: webhookFrom(),
  merchant: env.SANDBOX_MERCHANT,
  log: console,
})
console.log(`Payment sandbox: API ${sandbox.url}, pages ${sandbox.url}${sandbox.publicPath}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close())
