import { startGateway, type TestGateway } from '../../testing/gateway.ts'

/** The stores that an installation may use. Clients see no difference, so their tests run on both. */
export const stores = ['the disk', 'S3'] as const

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
 * @returns the settings that point the gateway under test to it.
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
