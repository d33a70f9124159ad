import { NativeSelect } from '@mantine/core'
import { flowTexts } from '@ovation/contract/texts/flows'
import { useQuery } from '@tanstack/react-query'
import { linkNamesQuery } from '../../domain/tracking-links/queries.ts'

const texts = flowTexts.form

type Props = { viewerId: string; value: string; onChange: (value: string) => void }

/** Chooses by which link a fan comes. */
export function LinkField({ viewerId, value, onChange }: Props) {
  const links = useQuery(linkNamesQuery(viewerId))
  return (
    <NativeSelect
      label={texts.link}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: 'any', label: texts.anyLink },
        ...(links.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
