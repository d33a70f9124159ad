import { NativeSelect } from '@mantine/core'
import { vaultTexts as texts } from '@ovation/contract/texts/vault'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { SearchField } from '../../ui/search-field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { albumsQuery, kinds, sorts, usages, type VaultFilter } from './queries.ts'
import classes from './vault-filters.module.css'

type Props = {
  filter: VaultFilter
  onChange: (part: Partial<VaultFilter>) => void
  /** Where the albums aren't shown themselves. */
  withAlbums?: boolean
}

/** Long enough that a word is one search. */
const typingMs = 250

/** Search, type, use, and order of the vault (VAULT-01). */
export function VaultFilters({ filter, onChange, withAlbums = false }: Props) {
  const albums = useQuery({ ...albumsQuery(), enabled: withAlbums }).data ?? []
  const hasAlbums = withAlbums && albums.length > 0
  return (
    <div className={classes.filters} data-albums={hasAlbums || undefined}>
      <Search value={filter.search} onChange={(search) => onChange({ search })} />
      <Segments
        aria-label={texts.kinds.label}
        value={filter.kind ?? 'all'}
        onChange={(kind) => onChange({ kind: kind === 'all' ? null : kind })}
        data={(['all', ...kinds] as const).map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
      />
      {hasAlbums && (
        <NativeSelect
          aria-label={texts.albums.label}
          value={filter.album ?? ''}
          onChange={({ currentTarget }) => onChange({ album: currentTarget.value || null })}
          data={[{ value: '', label: texts.albums.all }, ...albums.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      <NativeSelect
        aria-label={texts.usages.label}
        value={filter.usage ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ usage: usages.find((usage) => usage === currentTarget.value) ?? null })
        }
        data={[
          { value: '', label: texts.usages.all },
          ...usages.map((usage) => ({ value: usage, label: texts.usages[usage] })),
        ]}
      />
      <NativeSelect
        aria-label={texts.sorts.label}
        value={filter.sort}
        onChange={({ currentTarget }) =>
          onChange({ sort: sorts.find((sort) => sort === currentTarget.value) ?? 'newest' })
        }
        data={sorts.map((sort) => ({ value: sort, label: texts.sorts[sort] }))}
      />
    </div>
  )
}

/** Searches once the viewer pauses, and not with each key. */
function Search({ value, onChange }: { value: string; onChange: (search: string) => void }) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    if (value === sent.current) return
    // Changed elsewhere: the filters were cleared, or the back button was pressed.
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    const search = text.trim()
    if (search === sent.current) return
    const timer = setTimeout(() => {
      sent.current = search
      onChange(search)
    }, typingMs)
    return () => clearTimeout(timer)
  }, [text, onChange])
  return (
    <SearchField
      label={texts.search}
      className={classes.search ?? ''}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
