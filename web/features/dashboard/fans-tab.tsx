import { NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { fanListTexts as texts } from '@ovation/contract/texts/fan-lists'
import { IconUserSearch, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  audienceQuery,
  type FanList,
  type FanOrder,
  fanListsQuery,
  fansQuery,
  ruleOfList,
  startOrder,
} from '../../domain/fans/list-queries.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { FanTable } from './fan-table.tsx'
import classes from './fans-tab.module.css'
import { ListMenu } from './list-menu.tsx'
import { ListNav } from './list-nav.tsx'
import { SelectedFans } from './selected-fans.tsx'
import { WholeList } from './whole-list.tsx'

const ListForm = lazy(() => import('./list-form.tsx'))

/** All fans of a creator, and their lists (LIST-01, LIST-02). */
export default function FansTab({ profileId }: { profileId: string }) {
  const lists = useQuery(fanListsQuery(profileId))
  const [parameters, setParameters] = useSearchParams()
  const [creating, setCreating] = useState<'list' | 'smart'>()
  const requested = parameters.get('list')
  const open = (list: string | null) =>
    setParameters({ tab: 'fans', ...(list && { list }) }, { replace: true, preventScrollReset: true })
  if (!lists.data)
    return lists.isError ? <LoadFailed title={texts.listsFailed} of={lists} /> : <ListSkeleton rows={4} />
  const list = lists.data.find(({ id }) => id === requested)
  return (
    <div className={classes.tab}>
      <ListNav lists={lists.data} open={list?.id ?? null} onOpen={open} onCreate={setCreating} />
      <Fans key={list?.id ?? 'all'} profileId={profileId} list={list} onGone={() => open(null)} />
      {creating && (
        <Suspense>
          <ListForm
            viewerId={profileId}
            isSmart={creating === 'smart'}
            onSaved={(id) => {
              setCreating(undefined)
              open(id)
            }}
            onClose={() => setCreating(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

type FansProps = { profileId: string; list: FanList | undefined; onGone: () => void }

/** The fans, or those on one list: search, order, and what to do with several of them. */
function Fans({ profileId, list, onGone }: FansProps) {
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<FanOrder>(startOrder)
  const [selected, setSelected] = useState<ReadonlyMap<string, string>>(new Map())
  const [wanted] = useDebouncedValue(search.trim(), 250)
  const query = useInfiniteQuery(fansQuery(profileId, list?.id ?? null, wanted, order))
  return (
    <section className={classes.main} aria-label={list?.name ?? texts.all}>
      <div className={classes.head}>
        <h2 className={classes.title} dir="auto">
          {list?.name ?? texts.all}
        </h2>
        {list && <Count profileId={profileId} list={list} />}
        {list && <ListMenu viewerId={profileId} list={list} onDeleted={onGone} />}
      </div>
      <div className={classes.tools}>
        <SearchField
          label={texts.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          className={classes.search ?? ''}
        />
        <NativeSelect
          aria-label={texts.order}
          value={`${order.sort} ${order.ascending ? 'up' : 'down'}`}
          onChange={({ currentTarget }) => {
            const [sort, way] = currentTarget.value.split(' ')
            setOrder({ sort: sort as FanOrder['sort'], ascending: way === 'up' })
          }}
          data={Object.entries(texts.orders).map(([value, label]) => ({ value, label }))}
          className={classes.order}
        />
      </div>
      <WholeList
        query={query}
        empty={wanted ? texts.noMatch : texts.empty[list ? (list.rule ? 'smart' : 'list') : 'all']}
        icon={wanted ? IconUserSearch : IconUsers}
        failure={texts.loadFailed}
      >
        {(rows) => (
          <FanTable
            rows={rows}
            viewerId={profileId}
            order={order}
            onOrder={setOrder}
            selected={selected}
            onSelect={setSelected}
          />
        )}
      </WholeList>
      {selected.size > 0 && (
        <SelectedFans viewerId={profileId} list={list} selected={selected} onClear={() => setSelected(new Map())} />
      )}
    </section>
  )
}

/** Of a smart list, it is counted now. */
function Count({ profileId, list }: { profileId: string; list: FanList }) {
  const audience = useQuery(audienceQuery(profileId, list.rule && ruleOfList(list.id)))
  const count = list.rule ? audience.data : list.members_count
  return count === undefined ? null : <span className={classes.count}>{texts.count(formatCount(count))}</span>
}
