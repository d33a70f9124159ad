import { Tabs } from '@mantine/core'
import { adminTexts as texts } from '@ovation/contract/texts/admin'
import { commonTexts } from '@ovation/contract/texts/common'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import classes from './admin-screen.module.css'
import { ApplicationList, type Open } from './application-list.tsx'
import { DetailsDialog } from './details-dialog.tsx'
import { type Application, type ApplicationPage, applicationsQuery } from './queries.ts'
import { ReviewDialog } from './review-dialog.tsx'

const names = ['pending', 'reviewed'] as const

/** ADM-01, ADM-04 */
export function AdminScreen() {
  const [parameters, setParameters] = useSearchParams()
  const asked = parameters.get('tab')
  const tab = names.find((name) => name === asked) ?? 'pending'
  const queries = {
    pending: useInfiniteQuery(applicationsQuery('pending')),
    reviewed: useInfiniteQuery(applicationsQuery('reviewed')),
  }
  const [opened, setOpened] = useState<{ dialog: Parameters<Open>[0]; application: Application } | null>(null)
  const open: Open = (dialog, application) => setOpened({ dialog, application })
  const close = () => setOpened(null)

  return (
    <Page title={texts.title} width="wide">
      <Tabs
        value={tab}
        onChange={(next) => setParameters(next && next !== 'pending' ? { tab: next } : {}, { replace: true })}
        keepMounted={false}
        classNames={{ list: classes.tabs, tab: classes.tab }}
      >
        <Tabs.List aria-label={texts.title}>
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {texts.tabs[name](queries[name].data?.pages.at(-1)?.total)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {names.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <Applications kind={name} query={queries[name]} onOpen={open} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {opened?.dialog === 'details' && (
        <DetailsDialog
          application={opened.application}
          onDecide={(decision) => open(decision, opened.application)}
          onClose={close}
        />
      )}
      {opened && opened.dialog !== 'details' && (
        <ReviewDialog application={opened.application} decision={opened.dialog} onClose={close} />
      )}
    </Page>
  )
}

type ApplicationsProps = {
  kind: 'pending' | 'reviewed'
  query: UseInfiniteQueryResult<InfiniteData<ApplicationPage>>
  onOpen: Open
}

const words = {
  pending: { label: texts.applications.pendingList, empty: texts.applications.noPending },
  reviewed: { label: texts.applications.reviewedList, empty: texts.applications.noReviewed },
}

function Applications({ kind, query, onOpen }: ApplicationsProps) {
  const { fetchNextPage } = query
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const { label, empty } = words[kind]
  const applications = query.data?.pages.flatMap((page) => page.applications)

  if (!applications)
    return query.isError ? (
      <ErrorState
        title={texts.applications.loadFailed}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    ) : (
      <ListSkeleton rows={4} />
    )
  if (applications.length === 0) return <EmptyState {...empty} />
  return (
    <>
      <ApplicationList label={label} applications={applications} onOpen={onOpen} />
      {query.hasNextPage && (
        <LoadMore
          onReach={more}
          pending={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          failure={commonTexts.offline}
        />
      )}
    </>
  )
}
