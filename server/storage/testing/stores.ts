import { startGateway, type TestGateway } from '../../testing/gateway.ts'

/** Where an installation's files may lie. What the clients see is the same: their tests run on both. */
export const stores = ['the disk', 'S3'] as const

/** An installation whose files lie there. */
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
 * Makes a gateway the S3 server of another one. It is one of our own: its API is tested with the SDK, aws-cli and rclone, and it has
 * what the S3 servers on npm lack: copies of parts, aborts, lists of uploads, and the SDK's checksums (docs/decisions/0020).
 * @returns the settings with which the other one finds it.
 */
export async function openS3(server: TestGateway) {
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
