/** Groups items by key, in the order in which keys first appear. */
export const groupBy = <Item>(
  items: readonly Item[],
  getKey: (item: Item) => string,
): readonly (readonly [Item, ...Item[]])[] => {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return [...groups.values()];
};
