import { restrictionTexts } from '@ovation/contract/texts/restrictions'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { AboutFan } from '../../domain/fans/about-fan.tsx'
import { conversationQuery, type Person } from '../../domain/messages/queries.ts'
import { Returning } from '../../domain/payments/returning.tsx'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { ConversationMenu } from './conversation-menu.tsx'
import classes from './messages-screen.module.css'
import { Thread } from './thread.tsx'
import { ThreadHead } from './thread-head.tsx'
import { useTyping } from './use-typing.ts'
import { useUnmark } from './use-unmark.ts'

const SearchThreadDialog = lazy(() => import('./search-thread-dialog.tsx'))

/** The thread with one other user. */
export default function OpenedThread({ viewer, person }: { viewer: Viewer; person: Person }) {
  const typing = useTyping(viewer.profileId, person.id)
  const conversation = useQuery(conversationQuery(person.id))
  const [searching, setSearching] = useState(false)
  useUnmark(person.id)
  return (
    <>
      <ThreadHead
        person={person}
        typing={typing.isTyping}
        menu={
          <>
            {viewer.mayPublish && (
              <AboutFan viewerId={viewer.profileId} fan={{ id: person.id, name: nameOf(person) }} />
            )}
            {conversation.data && (
              <ConversationMenu
                conversation={conversation.data}
                open
                isCreator={viewer.mayPublish}
                onSearch={() => setSearching(true)}
              />
            )}
          </>
        }
      />
      <div className={classes.paying}>
        <Returning />
      </div>
      {conversation.data?.is_restricted && (
        <p className={classes.restricted} role="note">
          {restrictionTexts.inThread(nameOf(person))}
        </p>
      )}
      <Thread viewer={viewer} person={person} typing={typing} />
      {searching && (
        <Suspense>
          <SearchThreadDialog person={person} viewerId={viewer.profileId} onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </>
  )
}
