/** The rail at the right of a wide screen (LOOP-19). */
export const railTexts = {
  label: 'Related',
  suggestions: 'Suggestions',
  plans: 'Plans',
  links: 'Links',
  all: 'See all',
} as const
