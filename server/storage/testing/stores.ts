import { randomBytes } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'

/** The stores that an installation may use. Clients see no difference, so their tests run on both. */
export const stores = ['the disk', 'S3'] as const

export type S3Environment = Record<'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>

/** A client of that store, as other programs use it. */
export const buildS3Client = ({
  S3_ENDPOINT: endpoint,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
}: Omit<S3Environment, 'S3_BUCKET'>) =>
  new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  })

/** An installation with that store. */
export async function startOn(store: (typeof stores)[number]): Promise<TestGateway> {
  if (store === 'the disk') return startGateway()
  const server = await startGateway()
  try {
    const gateway = await startGateway({ env: await openS3(server) })
    return {
      ...gateway,
      async close() {
        await gateway.close()
        await server.close()
      },
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

/**
 * Uses another gateway as the S3 server. Its S3 API is tested with the SDK, aws-cli, and rclone, and it has
 * features that the S3 servers on npm lack: copies of parts, aborts, lists of uploads, and the SDK's checksums (docs/decisions/0020).
 * `npm run proof:s3` uses another S3 server.
 * @returns the settings that point the gateway under test to it, with an empty bucket.
 */
export async function openS3(server: TestGateway): Promise<S3Environment> {
  if (process.env.S3_PROOF) return openOutsideS3(JSON.parse(process.env.S3_PROOF))
  const headers = { apikey: server.secrets.serviceRoleKey, 'content-type': 'application/json' }
  const made = await fetch(`${server.url}/storage/v1/s3-keys`, { method: 'POST', headers, body: '{}' })
  const key = (await made.json()) as { accessKeyId: string; secretAccessKey: string }
  const bucket = 'ovation'
  await server.service.storage.createBucket(bucket, { public: false })
  return {
    S3_ENDPOINT: `${server.url}/storage/v1/s3`,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: key.accessKeyId,
    S3_SECRET_ACCESS_KEY: key.secretAccessKey,
  }
}

async function openOutsideS3(server: Omit<S3Environment, 'S3_BUCKET'>): Promise<S3Environment> {
  const client = buildS3Client(server)
  const S3_BUCKET = `ovation-${randomBytes(6).toString('hex')}`
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET }))
  client.destroy()
  return { ...server, S3_BUCKET }
}
