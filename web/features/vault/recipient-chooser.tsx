import { useDebouncedValue } from '@mantine/hooks'
import { messageTexts } from '@ovation/contract/texts/messages'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Conversation, conversationsQuery, wholeInbox } from '../../domain/messages/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './chooser.module.css'

type Props = {
  title: string
  onChoose: (conversation: Conversation) => void
  onClose: () => void
}

/** Chooses the thread for the selected files, which opens with them (VAULT-04). */
export default function RecipientChooser({ title, onChoose, onClose }: Props) {
  const [search, setSearch] = useState('')
  const [settledSearch] = useDebouncedValue(search.trim(), 250)
  const list = useInfiniteQuery(conversationsQuery({ ...wholeInbox, search: settledSearch }))
  const none = settledSearch ? messageTexts.noMatches(settledSearch) : messageTexts.noConversations
  return (
    <Dialog title={title} onClose={onClose}>
      <SearchField
        label={messageTexts.search}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <PagedList
        query={list}
        rows={list.data?.pages.flat()}
        pending={<ListSkeleton rows={4} shape="line" />}
        failed={{ title: messageTexts.conversationsFailed }}
        empty={<EmptyState icon={<IconSearchOff size={26} stroke={1.5} />} title={none.title} message={none.message} />}
        moreFailed={messageTexts.moreFailed}
      >
        {(conversations, more) => (
          <>
            <ul className={classes.choices}>
              {conversations.map((conversation) => {
                const name = nameOf(conversation)
                const { other_id, username, avatar_url, updated_at } = conversation
                return (
                  <li key={other_id}>
                    <button
                      type="button"
                      className={classes.choice}
                      aria-label={vaultTexts.sending.open(name)}
                      onClick={() => onChoose(conversation)}
                    >
                      <ProfileAvatar name={name} src={publicImage(avatar_url, updated_at)} size={44} />
                      <span className={classes.words}>
                        <bdi className={classes.name}>{name}</bdi>
                        <span className={classes.detail}>@{username}</span>
                      </span>
                    </button>
                  </li>
                )
              })}
            </ul>
            {more}
          </>
        )}
      </PagedList>
    </Dialog>
  )
}
