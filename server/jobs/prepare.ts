import { PgBoss } from 'pg-boss'

/** Creates the job queue's tables ahead of the first start. */
export async function prepareJobs(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })
}
