import { Button } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReceivedFile, receivedQuery } from './queries.ts'
import classes from './received.module.css'

const byFile = (rows: ReceivedFile[]) => new Map(rows.map((row) => [row.file_id, row]))

/** Those of the files that the fan already got (INBOX-04). Reads nothing without a fan or files. */
export function useReceived(fanId: string | undefined, ids: string[]) {
  return useQuery({
    ...receivedQuery(fanId ?? '', ids),
    enabled: fanId !== undefined && ids.length > 0,
    select: byFile,
  })
}

/** Without it, a file that was sent would look as if it weren't. */
export function ReceivedFailure({ query }: { query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'> }) {
  if (!query.isError) return null
  return (
    <p className={classes.failure} role="alert">
      {vaultTexts.received.loadFailed}
      <Button variant="subtle" size="compact-sm" loading={query.isFetching} onClick={() => void query.refetch()}>
        {commonTexts.retry}
      </Button>
    </p>
  )
}
