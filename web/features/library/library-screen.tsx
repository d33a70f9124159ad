import { Badge, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { paths } from '@ovation/contract/paths'
import { libraryTexts as texts } from '@ovation/contract/texts/library'
import { IconBooks, IconCalendarEvent, IconFileText, IconMessage, IconPackage } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'react-router'
import { formatDate, formatExact } from '../../lib/format/format-date.ts'
import { useTypedText } from '../../lib/forms/use-typed-text.ts'
import { postCover } from '../../lib/media/public-image.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Segments } from '../../ui/segments.tsx'
import classes from './library-screen.module.css'
import { kinds, type LibraryFilter, type LibraryItem, libraryQuery, wholeLibrary } from './queries.ts'
import { useLibraryFilter } from './use-library-filter.ts'

/** `/library`: everything that the viewer has bought (OFFER-06). */
export function LibraryScreen() {
  const { filter, change } = useLibraryFilter()
  const library = useInfiniteQuery(libraryQuery(filter))
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className={classes.filters}>
        <Search filter={filter} onChange={(search) => change({ search })} />
        <Segments
          aria-label={texts.filter}
          className={classes.kinds}
          value={filter.kind ?? 'all'}
          onChange={(kind) => change({ kind: kind === 'all' ? null : kind })}
          data={(['all', ...kinds] as const).map((value) => ({ value, label: texts.kinds[value] }))}
        />
      </div>
      <PagedList
        query={library}
        rows={library.data?.pages.flat()}
        pending={<ListSkeleton rows={5} />}
        failed={{ title: texts.loadFailed }}
        moreFailed={texts.moreFailed}
        empty={<Nothing filter={filter} onClear={() => change(wholeLibrary)} />}
      >
        {(items, more) => (
          <>
            <ul className={`surface ${classes.items}`} aria-label={texts.list}>
              {items.map((item) => (
                <Item key={item.entry_id} item={item} />
              ))}
            </ul>
            {more}
          </>
        )}
      </PagedList>
    </Page>
  )
}

const typingPauseMs = 300

function Search({ filter, onChange }: { filter: LibraryFilter; onChange: (search: string) => void }) {
  const { text, type, rest } = useTypedText(filter.search)
  const typed = text.trim()
  const [settled, , debounced] = useDebouncedValue(typed, typingPauseMs)
  // Not when the URL changes, which the text then follows.
  const search = useEffectEvent((words: string) => {
    if (words === typed && words !== filter.search) onChange(words)
  })
  useEffect(() => search(settled), [settled])
  return (
    <SearchField
      label={texts.search}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={() => {
        rest()
        // At once: later, it would replace the navigation that a click on a link starts.
        debounced.flush()
      }}
      className={classes.search ?? ''}
    />
  )
}

function Nothing({ filter, onClear }: { filter: LibraryFilter; onClear: () => void }) {
  const icon = <IconBooks size={26} stroke={1.5} />
  if (filter.kind || filter.search)
    return (
      <EmptyState
        icon={icon}
        {...texts.noMatch}
        action={
          <Button variant="default" onClick={onClear}>
            {texts.clear}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={icon}
      {...texts.empty}
      action={
        <Button component={Link} to={paths.explore} variant="default">
          {texts.explore}
        </Button>
      }
    />
  )
}

const icons = { post: IconFileText, message: IconMessage, product: IconPackage, session: IconCalendarEvent }

function Item({ item }: { item: LibraryItem }) {
  const Icon = icons[item.kind]
  const creator = item.creator_name || item.creator_username
  return (
    <li className={classes.item}>
      <span className={classes.picture} aria-hidden="true">
        {item.cover_path ? (
          <img src={postCover(item.cover_path, 160)} alt="" loading="lazy" />
        ) : (
          <Icon size={24} stroke={1.4} />
        )}
      </span>
      <div className={classes.words}>
        <div className={classes.head}>
          <Link to={addressOf(item)} className={classes.name} dir="auto">
            {nameOf(item, creator)}
          </Link>
          {item.is_new_version && (
            <Badge variant="light" color="teal">
              {texts.newVersion}
            </Badge>
          )}
        </div>
        {item.excerpt && (
          <p className={classes.excerpt} dir="auto">
            {item.excerpt}
          </p>
        )}
        <p className={`${classes.facts} facts`}>
          <span>{texts.one[item.kind]}</span>
          <span dir="auto">{creator}</span>
          {item.starts_at ? (
            <span>{texts.starts(formatExact(item.starts_at))}</span>
          ) : (
            <span>{texts.bought(formatDate(item.bought_at))}</span>
          )}
          {item.files > 0 && <span>{texts.files(item.files)}</span>}
        </p>
      </div>
    </li>
  )
}

function nameOf({ kind, title }: LibraryItem, creator: string): string {
  if (title) return title
  return kind === 'message' ? texts.messageFrom(creator) : texts.postBy(creator)
}

function addressOf({ kind, id, creator_username }: LibraryItem): string {
  if (kind === 'post') return paths.post(id)
  if (kind === 'message') return paths.conversation(creator_username, id)
  return kind === 'product' ? paths.product(id) : paths.privateSessions
}
