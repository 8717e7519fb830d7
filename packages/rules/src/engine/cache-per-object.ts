/** Returns a function that computes the value of an object on the first call and caches it for as long as the object lives. */
export function cachePerObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) {
      return cached.value;
    }
    const value = compute(key);
    cache.set(key, { value });
    return value;
  };
}
