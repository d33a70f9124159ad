import { useDebouncedValue } from '@mantine/hooks'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconSearch, IconSearchOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Person } from '../../domain/messages/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './found-messages.module.css'
import FoundMessages from './found-messages.tsx'

const texts = messageTexts.find

type Props = { person: Person; viewerId: string; onClose: () => void }

/** Searches the messages with one user; a result opens the thread there (INBOX-02). */
export default function SearchThreadDialog({ person, viewerId, onClose }: Props) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), 250)
  const openId = useSearchParams()[0].get('message')
  return (
    <Dialog title={texts.inThread(nameOf(person))} onClose={onClose} fullScreenOnPhone>
      <SearchField
        label={texts.field}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        data-autofocus
      />
      <div className={classes.results}>
        {settled ? (
          <FoundMessages
            search={settled}
            withId={person.id}
            viewerId={viewerId}
            openId={openId}
            empty={<EmptyState icon={<IconSearchOff size={26} stroke={1.5} />} title={texts.none} />}
            onOpen={onClose}
          />
        ) : (
          <EmptyState icon={<IconSearch size={26} stroke={1.5} />} title={texts.hint} />
        )}
      </div>
    </Dialog>
  )
}
