import { TextInput } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** GEN-19: leads to the results; an empty query does nothing. */
export function SearchBox({ className }: { className?: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [parameters] = useSearchParams()
  const shown = pathname === '/search' ? (parameters.get('q') ?? '') : ''
  const [query, setQuery] = useState(shown)
  // The box follows the address: back and forward change it too.
  useEffect(() => setQuery(shown), [shown])

  const search = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = query.trim()
    if (trimmed) navigate(paths.search(trimmed))
  }

  return (
    <search className={className}>
      <form onSubmit={search}>
        <TextInput
          type="search"
          name="q"
          radius="xl"
          aria-label={shellTexts.search.label}
          placeholder={shellTexts.search.placeholder}
          leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          maxLength={100}
          autoComplete="off"
          enterKeyHint="search"
        />
      </form>
    </search>
  )
}
