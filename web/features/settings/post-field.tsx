import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { pageSettingsTexts } from '@ovation/contract/texts/page-settings'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { formatDate } from '../../lib/format/format-date.ts'
import { postTitlesQuery, titlesShown } from './page-queries.ts'

const texts = pageSettingsTexts.posts

type Props = ComponentProps<typeof NativeSelect> & {
  label: string
  hint: string
  kind: 'all' | 'videos'
  creatorId: string
  /** The id of the post that is chosen now; empty for none. */
  saved: string
}

/** One of the creator's own posts, or none. With many posts, they are searched by title. */
export function PostField({ label, hint, kind, creatorId, saved, disabled, ...input }: Props) {
  const [typed, setTyped] = useState('')
  const [title] = useDebouncedValue(typed.trim(), 300)
  const chosen = typeof input.value === 'string' && input.value !== '' ? input.value : saved
  const posts = useQuery({
    ...postTitlesQuery(creatorId, { kind, title, chosen }),
    placeholderData: keepPreviousData,
  })
  const hasMany = typed !== '' || (posts.data?.length ?? 0) >= titlesShown
  const options = (posts.data ?? []).map(({ id, title, created_at }) => ({
    value: id,
    label: title ?? texts.untitled(formatDate(created_at)),
  }))
  return (
    <div>
      {hasMany && (
        <TextInput
          type="search"
          label={`${label}: ${texts.search}`}
          value={typed}
          maxLength={100}
          autoComplete="off"
          mb="xs"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <NativeSelect
        label={label}
        description={posts.isError ? texts.loadFailed : hint}
        data={[{ value: '', label: texts.none }, ...options]}
        // Until the posts are there, the chosen one has no name.
        disabled={disabled || posts.isPending}
        {...input}
      />
    </div>
  )
}
