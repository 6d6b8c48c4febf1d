// Memory in which samples go through the layers of a convolutional network, lent to one block at a time.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "nn/conv_layer.hpp"

namespace greybox {

// What one layer makes of a strip.
template <class T>
struct ConvLayerWorkspace {
  explicit ConvLayerWorkspace(const ConvLayer<T>& layer);

  AlignedBuffer<T> image;  // what the layer reads; the first layer's is kept in the tape
  AlignedBuffer<T> delta, grad_image;
  AlignedBuffer<T> results;  // a strip of the last layer; a row of the others
};

template <class T>
struct ConvWorkspace {
  explicit ConvWorkspace(const std::vector<ConvLayer<T>>& network);

  std::vector<ConvLayerWorkspace<T>> layers;
  AlignedBuffer<T> scratch;  // the filters' working memory
};

// Workspaces that nobody uses, at most as many as there are threads. The one given back last is lent first:
// it is still in the cache, where the memory of twenty blocks would push out one another.
template <class T>
class WorkspacePool {
 public:
  explicit WorkspacePool(const std::vector<ConvLayer<T>>& network) : network_(&network) {}

  // Before work begins: one more borrower may come, but never more at once than there are processors, or
  // rather threads: should those be more, the last of them get their memory when first they need it.
  void expect_borrower();

  // Lends a workspace for as long as it lives.
  class Loan {
   public:
    explicit Loan(WorkspacePool& pool) : pool_(&pool), workspace_(pool.take()) {}
    ~Loan() { pool_->give_back(std::move(workspace_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ConvWorkspace<T>& operator*() const { return *workspace_; }

   private:
    WorkspacePool* pool_;
    std::unique_ptr<ConvWorkspace<T>> workspace_;
  };

 private:
  std::unique_ptr<ConvWorkspace<T>> take();
  void give_back(std::unique_ptr<ConvWorkspace<T>> workspace);

  const std::vector<ConvLayer<T>>* network_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ConvWorkspace<T>>> free_;
  std::size_t n_made_ = 0;  // in expectation
};

extern template struct ConvLayerWorkspace<float>;
extern template struct ConvLayerWorkspace<double>;
extern template struct ConvWorkspace<float>;
extern template struct ConvWorkspace<double>;
extern template class WorkspacePool<float>;
extern template class WorkspacePool<double>;

}  // namespace greybox
