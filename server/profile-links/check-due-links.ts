import pMap from 'p-map'
import { checkLink } from './check-link.ts'
import { listDueLinks } from './queries.ts'
import type { Services } from './services.ts'

/** Limits a run to a few minutes, even if every page is late. With a run each hour, that is more than 30,000 links a week. */
const most = 200
const concurrency = 5

/** Checks again, once a week, whether the pages behind verified links still link back. A link that they don't confirm loses its mark. */
export async function checkDueLinks(services: Services): Promise<void> {
  const due = await listDueLinks(services.database.service, most)
  await pMap(due, (link) => checkLink(services, link), { concurrency, stopOnError: false })
}
