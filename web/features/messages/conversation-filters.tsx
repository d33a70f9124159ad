import { messageTexts as texts } from '@ovation/contract/texts/messages'
import type { FanList } from '../../domain/fans/list-queries.ts'
import { type ConversationsShown, conversationFilters, conversationSorts } from '../../domain/messages/queries.ts'
import { SelectField } from '../../ui/select-field.tsx'
import classes from './conversation-list.module.css'

type Props = {
  lists: FanList[]
  /** Creators have more filters, and an order. */
  isCreator: boolean
  shown: ConversationsShown
  onChange: (part: Partial<ConversationsShown>) => void
}

const ofEveryone: readonly string[] = ['all', 'unread', 'offers', 'archived']

/** Which conversations the inbox shows, and in which order (INBOX-01). */
export function ConversationFilters({ lists, isCreator, shown, onChange }: Props) {
  const filters = conversationFilters.filter((filter) => isCreator || ofEveryone.includes(filter))
  return (
    <div className={classes.filters}>
      <SelectField
        label={texts.filters.label}
        value={shown.list ?? shown.filter}
        onChange={(chosen) => {
          const filter = filters.find((known) => known === chosen)
          onChange(filter ? { filter, list: null } : { filter: 'all', list: chosen })
        }}
        data={[
          ...filters.map((filter) => ({ value: filter as string, label: texts.filters[filter] })),
          ...lists.map(({ id, name }) => ({ value: id, label: name, group: texts.lists })),
        ]}
      />
      {isCreator && (
        <SelectField
          label={texts.sorts.label}
          value={shown.sort}
          onChange={(sort) => onChange({ sort })}
          data={conversationSorts.map((sort) => ({ value: sort, label: texts.sorts[sort] }))}
        />
      )}
    </div>
  )
}
