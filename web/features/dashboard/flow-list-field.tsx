import { NativeSelect } from '@mantine/core'
import { flowTexts } from '@ovation/contract/texts/flows'
import { useQuery } from '@tanstack/react-query'
import { fanListsQuery } from '../../domain/fans/list-queries.ts'

const texts = flowTexts.form

type Props = { viewerId: string; value: string; onChange: (value: string) => void }

/** Chooses a list. A smart list takes fans by its rule, so it isn't among them. */
export function ListField({ viewerId, value, onChange }: Props) {
  const lists = useQuery(fanListsQuery(viewerId))
  const own = (lists.data ?? []).filter(({ rule }) => rule === null)
  return (
    <NativeSelect
      label={texts.list}
      description={lists.data && own.length === 0 ? texts.noLists : undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: '', label: texts.chooseList }, ...own.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
