// SPDX-License-Identifier: Apache-2.0
//
// Oclgrind plugin: warp accesses to global memory, counted by an independent simulator.
//
// The lanes of a warp that execute a static instruction for the k-th time are one warp access.
// Prints one line per launch to the file $BYWAY_OCLGRIND_OUT:
//
//     KERNEL ACCESSES LANES LINES        (lines of 128 bytes, summed over the accesses)
//
// C++ because Oclgrind's plugin interface is.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "oclgrind/Context.h"
#include "oclgrind/Kernel.h"
#include "oclgrind/KernelInvocation.h"
#include "oclgrind/Memory.h"
#include "oclgrind/Plugin.h"
#include "oclgrind/WorkGroup.h"
#include "oclgrind/WorkItem.h"

namespace
{
const uint64_t line_bytes = 128;
const size_t warp_size = 32;

// Several groups may run at once, so the group's number is part of every key. It is computed from
// the group's coordinates: Oclgrind's own index is wrong for two-dimensional grids.
using ItemKey = std::tuple<uint64_t, size_t, const void *>;
using AccessKey = std::tuple<uint64_t, size_t, const void *, uint64_t>;

struct Access {
    uint64_t lanes = 0;
    std::set<uint64_t> lines;
};

class Counter : public oclgrind::Plugin
{
  public:
    explicit Counter(const oclgrind::Context *context) : Plugin(context)
    {
        const char *path = std::getenv("BYWAY_OCLGRIND_OUT");
        out = path == nullptr ? nullptr : std::fopen(path, "w");
    }
    ~Counter() override
    {
        if (out != nullptr)
            std::fclose(out);
    }
    bool isThreadSafe() const override
    {
        return false;
    }

    void kernelBegin(const oclgrind::KernelInvocation *invocation) override
    {
        groups = invocation->getNumGroups();
        accesses = lanes = lines = 0;
    }
    void kernelEnd(const oclgrind::KernelInvocation *invocation) override
    {
        if (out != nullptr)
            std::fprintf(out, "%s %llu %llu %llu\n", invocation->getKernel()->getName().c_str(),
                         (unsigned long long)accesses, (unsigned long long)lanes,
                         (unsigned long long)lines);
    }
    void workGroupComplete(const oclgrind::WorkGroup *group) override
    {
        uint64_t g = number(group);

        for (auto it = table.begin(); it != table.end();)
            if (std::get<0>(it->first) == g) {
                accesses++;
                lanes += it->second.lanes;
                lines += it->second.lines.size();
                it = table.erase(it);
            } else {
                ++it;
            }
        for (auto it = times.begin(); it != times.end();)
            it = std::get<0>(it->first) == g ? times.erase(it) : std::next(it);
    }
    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
                    size_t size) override
    {
        add(memory, item, address, size);
    }
    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
                     size_t size, const uint8_t *) override
    {
        add(memory, item, address, size);
    }
    void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item,
                          oclgrind::AtomicOp, size_t address, size_t size) override
    {
        add(memory, item, address, size);
    }

  private:
    FILE *out;
    oclgrind::Size3 groups;
    uint64_t accesses = 0, lanes = 0, lines = 0;
    std::map<AccessKey, Access> table;
    std::map<ItemKey, uint64_t> times;

    uint64_t number(const oclgrind::WorkGroup *group) const
    {
        oclgrind::Size3 id = group->getGroupID();
        return (id.z * groups.y + id.y) * groups.x + id.x;
    }
    void add(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
             size_t size)
    {
        if (memory->getAddressSpace() != oclgrind::AddrSpaceGlobal)
            return;
        oclgrind::Size3 id = item->getLocalID(), block = item->getWorkGroup()->getGroupSize();
        size_t local = (id.z * block.y + id.y) * block.x + id.x;
        const void *code = item->getCurrentInstruction();
        uint64_t g = number(item->getWorkGroup());
        uint64_t k = times[ItemKey(g, local, code)]++;
        Access &access = table[AccessKey(g, local / warp_size, code, k)];

        access.lanes++;
        for (uint64_t line = address / line_bytes; line <= (address + size - 1) / line_bytes;
             line++)
            access.lines.insert(line);
    }
};

Counter *counter;
} // namespace

extern "C" {
void initializePlugins(oclgrind::Context *context)
{
    counter = new Counter(context);
    context->registerPlugin(counter);
}
void releasePlugins(oclgrind::Context *context)
{
    context->unregisterPlugin(counter);
    delete counter;
}
}
