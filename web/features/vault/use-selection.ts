import { vaultSelectionMax } from '@ovation/contract/limits'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { VaultFile } from '../../domain/vault/queries.ts'
import { announce, toast } from '../../ui/toast.ts'

/** The files selected for an action, in the order in which they were selected (VAULT-04). Undefined while nothing is being selected. */
export function useSelection(rows: readonly VaultFile[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, VaultFile>>()
  /** Where a range starts. */
  const anchor = useRef<string>(undefined)

  const add = (files: readonly VaultFile[]) => {
    const next = new Map(selected)
    for (const file of files) {
      if (next.size >= vaultSelectionMax && !next.has(file.id)) {
        toast.info(vaultTexts.selection.most)
        break
      }
      next.set(file.id, file)
    }
    setSelected(next)
    announce(vaultTexts.selection.count(next.size))
  }
  const toggle = (file: VaultFile) => {
    anchor.current = file.id
    if (!selected?.has(file.id)) return add([file])
    const next = new Map(selected)
    next.delete(file.id)
    setSelected(next)
  }
  /** From the file pressed last to this one. */
  const extend = (file: VaultFile) => {
    const [from, to] = [anchor.current, file.id].map((id) => rows.findIndex((row) => row.id === id))
    if (from === undefined || to === undefined || from < 0 || to < 0) return toggle(file)
    add(rows.slice(Math.min(from, to), Math.max(from, to) + 1))
  }
  const start = () => setSelected(new Map())
  const stop = () => {
    anchor.current = undefined
    setSelected(undefined)
  }
  const selectAll = () => add(rows)

  const isOn = selected !== undefined
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // A dialog has its own Escape, and a field its own "select all".
    if (event.target instanceof Element && event.target.closest('[role="dialog"], input, textarea, select')) return
    if (event.key === 'Escape') stop()
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      selectAll()
    }
  })
  useEffect(() => {
    if (!isOn) return
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])

  return { selected, toggle, extend, start, stop, selectAll }
}
